#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "orchestrate/spec/yaml_merge.h"

/* The tree in one line: {key: value, key: [item]}. */
static void show(const struct yaml_node *node, struct buf *out)
{
	switch (node->kind) {
	case YAML_SCALAR:
		buf_adds(out, yaml_is_nothing(node) ? "~" : node->text);
		break;
	case YAML_SEQUENCE:
		buf_addc(out, '[');
		for (size_t i = 0; i < node->n_items; i++) {
			buf_adds(out, i ? ", " : "");
			show(node->items[i], out);
		}
		buf_addc(out, ']');
		break;
	case YAML_MAPPING:
		buf_addc(out, '{');
		for (size_t i = 0; i < node->n_pairs; i++) {
			buf_addf(out, "%s%s: ", i ? ", " : "",
				 node->pairs[i].key);
			show(node->pairs[i].value, out);
		}
		buf_addc(out, '}');
		break;
	}
}

struct two {
	struct yaml_doc far, near, made;
	struct problems p;
	const struct yaml_node *merged;
};

static void merge(struct two *t, const char *far, const char *near)
{
	t->p = (struct problems)PROBLEMS_INIT;
	t->made = (struct yaml_doc){ .root = NULL };
	assert_int_equal(yaml_doc_parse(&t->far, "far.yaml", far, strlen(far),
					&t->p), 0);
	assert_int_equal(yaml_doc_parse(&t->near, "near.yaml", near,
					strlen(near), &t->p), 0);
	t->merged = yaml_merge(&t->made, t->far.root, t->near.root);
}

static void end(struct two *t)
{
	yaml_doc_release(&t->made);
	yaml_doc_release(&t->near);
	yaml_doc_release(&t->far);
	problems_release(&t->p);
}

static void assert_merged(const char *far, const char *near,
			  const char *wanted)
{
	struct buf got = BUF_INIT;
	struct two t;

	merge(&t, far, near);
	show(t.merged, &got);
	assert_string_equal(got.data, wanted);
	buf_release(&got);
	end(&t);
}

static void mappings_are_merged_key_by_key(void **state)
{
	(void)state;
	assert_merged("{a: 1, b: 2}", "{b: 3, c: 4}", "{a: 1, b: 3, c: 4}");
	assert_merged("{a: {x: 1, y: 2}}", "{a: {y: 3, z: 4}, b: 5}",
		      "{a: {x: 1, y: 3, z: 4}, b: 5}");
	assert_merged("{}", "{a: 1}", "{a: 1}");
	assert_merged("{a: 1}", "{}", "{a: 1}");
}

static void anything_else_is_replaced(void **state)
{
	(void)state;
	assert_merged("{a: [1, 2]}", "{a: [3]}", "{a: [3]}");
	assert_merged("{a: {x: 1}}", "{a: local}", "{a: local}");
	assert_merged("{a: local}", "{a: {x: 1}}", "{a: {x: 1}}");
	assert_merged("[1]", "{a: 1}", "{a: 1}");
}

static void nothing_removes_what_stood_there(void **state)
{
	(void)state;
	assert_merged("{a: 1, b: {x: 1, y: 2}, c: 3}", "{a: , b: {x: }}",
		      "{b: {y: 2}, c: 3}");
	assert_merged("{a: 1}", "{a: ''}", "{a: }");
}

static void nothing_where_nothing_stood_stays(void **state)
{
	(void)state;
	assert_merged("{a: 1}", "{b: }", "{a: 1, b: ~}");
	/* what a nearer one has then goes over it */
	assert_merged("{b: }", "{b: 2}", "{b: 2}");
	assert_merged("{b: }", "{b: }", "{}");
}

static void keys_and_values_keep_their_marks(void **state)
{
	const struct yaml_node *a;
	struct two t;

	(void)state;
	merge(&t, "x: 0\na: {old: 1, both: 2}\n", "a:\n  both: 3\n  new: 4\n");
	assert_string_equal(t.merged->mark.file, "near.yaml");
	assert_string_equal(t.merged->pairs[0].mark.file, "far.yaml");
	assert_string_equal(t.merged->pairs[1].mark.file, "near.yaml");
	a = t.merged->pairs[1].value;
	assert_int_equal(a->n_pairs, 3);
	assert_string_equal(a->pairs[0].mark.file, "far.yaml");
	assert_int_equal(a->pairs[0].mark.line, 2);
	assert_int_equal(a->pairs[0].mark.column, 5);
	assert_string_equal(a->pairs[1].mark.file, "near.yaml");
	assert_int_equal(a->pairs[1].mark.line, 2);
	assert_string_equal(a->pairs[1].value->mark.file, "near.yaml");
	assert_int_equal(a->pairs[2].mark.line, 3);
	end(&t);
}

static void a_shared_node_is_left_as_it_is(void **state)
{
	struct buf got = BUF_INIT;
	struct two t;

	(void)state;
	merge(&t, "{a: &s {x: 1}, b: *s}", "{b: {y: 2}}");
	show(t.merged, &got);
	assert_string_equal(got.data, "{a: {x: 1}, b: {x: 1, y: 2}}");
	assert_ptr_equal(yaml_get(t.merged, "a")->value,
			 yaml_get(t.far.root, "a")->value);
	assert_int_equal(yaml_get(t.far.root, "b")->value->n_pairs, 1);
	buf_release(&got);
	end(&t);
}

static void a_mapping_can_be_had_without_some_keys(void **state)
{
	static const char *const keys[] = { "a", "none", NULL };
	struct buf got = BUF_INIT;
	struct two t;

	(void)state;
	merge(&t, "{}", "{}");
	yaml_doc_release(&t.far);
	assert_int_equal(yaml_doc_parse(&t.far, "f", "{a: 1, b: {a: 2}}", 17,
					&t.p), 0);
	show(yaml_without(&t.made, t.far.root, keys), &got);
	assert_string_equal(got.data, "{b: {a: 2}}");
	buf_release(&got);
	end(&t);
}

/* n keys that start with this letter, of no more than 9 characters each. */
static char *wide(char letter, int n)
{
	struct buf text = BUF_INIT;

	buf_addc(&text, '{');
	for (int i = 0; i < n; i++)
		buf_addf(&text, "%c%d: ,", letter, i);
	buf_addc(&text, '}');
	return buf_detach(&text);
}

static void a_merged_tree_has_the_bounds_of_a_file(void **state)
{
	char *far = wide('a', 60000), *near = wide('b', 39998);
	struct mark at = { .file = "x.yaml", .line = 3, .column = 1 };
	struct two t;

	(void)state;
	merge(&t, far, near);
	assert_int_equal(t.merged->values, 99999);
	assert_true(yaml_merge_fits(t.merged, at, "the experiment", &t.p));
	end(&t);
	free(near);
	near = wide('b', 40000);
	merge(&t, far, near);
	assert_int_equal(t.merged->values, 100001);
	assert_false(yaml_merge_fits(t.merged, at, "the experiment", &t.p));
	assert_int_equal(t.p.n, 1);
	assert_int_equal(t.p.items[0].line, 3);
	assert_string_equal(t.p.items[0].text,
			    "put together, the experiment is too large: at "
			    "most 100000 values, 4 MiB");
	end(&t);
	free(far);
	free(near);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mappings_are_merged_key_by_key),
		cmocka_unit_test(anything_else_is_replaced),
		cmocka_unit_test(nothing_removes_what_stood_there),
		cmocka_unit_test(
			nothing_where_nothing_stood_stays),
		cmocka_unit_test(keys_and_values_keep_their_marks),
		cmocka_unit_test(a_shared_node_is_left_as_it_is),
		cmocka_unit_test(a_mapping_can_be_had_without_some_keys),
		cmocka_unit_test(a_merged_tree_has_the_bounds_of_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
