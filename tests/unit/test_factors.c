#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/library/library.h"
#include "orchestrate/spec/binding.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/treatment_def.h"

/* An experiment of the text, with definitions beside it and shipped ones. */
struct loaded {
	struct experiment e;
	struct problems p;
	int rc;
};

#define NEAR "tests/data/families/near"
#define FAR "tests/data/families/far"
#define HEAD                                                                \
	"assay: 1\nexperiment: x\nhosts: {here: local}\n"                   \
	"benchmarks: {b: {run: echo 1, responses: {t: {regex: .+, uom: s, " \
	"better: lower}}}}\n"

static void load(struct loaded *l, const char *factors)
{
	struct strlist dirs = STRLIST_INIT;
	char *text = mem_printf("%s%s", HEAD, factors);
	struct resolver resolver;
	struct library library;

	*l = (struct loaded){ .p = PROBLEMS_INIT };
	strlist_push(&dirs, FAR);
	library_init(&library, NEAR, &dirs);
	resolver = library_resolver(&library);
	l->rc = experiment_parse(&l->e, "x.yaml", text, strlen(text),
				 &resolver, NULL, &l->p);
	library_release(&library);
	strlist_release(&dirs);
	free(text);
}

static void unload(struct loaded *l)
{
	experiment_release(&l->e);
	problems_release(&l->p);
}

/* "line:column: text" of each; those in other files with their name. */
static void assert_problems(const char *factors, const char *wanted)
{
	struct buf got = BUF_INIT;
	struct loaded l;

	load(&l, factors);
	for (size_t i = 0; i < l.p.n; i++) {
		const struct problem *x = &l.p.items[i];

		if (strcmp(x->file, "x.yaml"))
			buf_addf(&got, "%s:", x->file);
		buf_addf(&got, "%u:%u: %s\n", x->line, x->column, x->text);
	}
	assert_string_equal(got.data, wanted);
	assert_int_equal(l.rc, *wanted ? -1 : 0);
	buf_release(&got);
	unload(&l);
}

static void assert_levels(const char *factor, const char *wanted)
{
	struct buf got = BUF_INIT;
	char *text = mem_printf("factors: {f: %s}\n", factor);
	struct loaded l;

	load(&l, text);
	for (size_t i = 0; i < l.p.n; i++)
		print_error("%s\n", l.p.items[i].text);
	assert_int_equal(l.rc, 0);
	for (size_t i = 0; i < l.e.factors[0].n_levels; i++)
		buf_addf(&got, "%s%s", i ? " " : "",
			 l.e.factors[0].levels[i].name);
	assert_string_equal(got.data, wanted);
	buf_release(&got);
	unload(&l);
	free(text);
}

static const char *value(const struct variable *items, size_t n,
			 const char *name)
{
	const struct variable *v = variables_find(items, n, name);

	return v ? v->value : NULL;
}

static const struct treatment_use *use(const struct loaded *l, size_t factor,
				       size_t level)
{
	const struct treatment_use *t = factor_treatment(&l->e, factor, level);

	assert_non_null(t);
	return t;
}

static void a_range_makes_levels(void **state)
{
	(void)state;
	assert_levels("{range: [1, 9], step: 4}", "1 5 9");
	assert_levels("{range: [1, 16], step: \"*2\"}", "1 2 4 8 16");
	assert_levels("{range: [1, 1000], points: 4}", "1 10 100 1000");
	assert_levels("{range: [4k, 64k], step: \"*4\"}", "4k 16k 64k");
	assert_levels("{range: [0.1, 0.3], step: 0.1}", "0.1 0.2 0.3");
}

static void the_levels_of_a_range_stand_where_it_stands(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, "factors:\n  f: {range: [1, 2], step: 1}\n");
	assert_int_equal(l.rc, 0);
	assert_int_equal(l.e.uses[0].levels[1].mark.line, 6);
	assert_int_equal(l.e.uses[0].levels[1].mark.column, 14);
	unload(&l);
}

static void a_family_has_a_level_for_each_file_of_all_folders(void **state)
{
	(void)state;
	assert_levels("{use: box, image: debian}", "bare jail shell");
	assert_levels("{use: store}", "dir ram");
	assert_levels("{use: store, levels: [ram, dir]}", "ram dir");
	assert_levels("{use: single}", "x y");
}

static void each_level_of_a_family_has_the_nearest_definition(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, "factors:\n  box: {use: box, image: debian, depth: 3, "
		 "change: hard}\n");
	assert_int_equal(l.rc, 0);
	assert_string_equal(l.e.uses[0].definition, "box");
	assert_null(l.e.uses[0].treatment.def);
	assert_true(l.e.factors[0].hard);
	assert_true(factor_is_treated(&l.e, 0));
	assert_string_equal(use(&l, 0, 0)->def->name, "box/bare");
	assert_string_equal(use(&l, 0, 0)->def->file,
			    FAR "/treatments/box/bare.yaml");
	assert_string_equal(use(&l, 0, 1)->def->doc, "My jail.");
	assert_string_equal(use(&l, 0, 1)->def->enter, "sh -s");
	assert_int_equal(use(&l, 0, 2)->def->cost, 2);
	/* each takes of what is given what it has, and its own defaults */
	assert_int_equal(use(&l, 0, 0)->n_params, 0);
	assert_int_equal(use(&l, 0, 1)->n_params, 2);
	assert_int_equal(use(&l, 0, 1)->n_given, 1);
	assert_string_equal(use(&l, 0, 1)->params[0].value, "debian");
	assert_string_equal(use(&l, 0, 2)->params[0].value, "3");
	assert_string_equal(use(&l, 0, 2)->params[1].value, "none");
	/* all files that were read can be kept with the results */
	assert_int_equal(l.e.files.n, 4);
	unload(&l);
}

static void a_level_may_have_parameters_of_its_own(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, "factors:\n"
		 "  box:\n"
		 "    use: box\n"
		 "    image: debian\n"
		 "    levels: [bare, {name: jail, image: alpine, label: Jail}, "
		 "{name: shell, params: {depth: 2}}]\n"
		 "  one: {use: single, levels: [x, {name: y, speed: fast}], "
		 "note: both}\n");
	assert_int_equal(l.rc, 0);
	assert_string_equal(value(use(&l, 0, 1)->params, 2, "image"),
			    "alpine");
	assert_int_equal(use(&l, 0, 1)->n_given, 1);
	assert_string_equal(value(use(&l, 0, 2)->params, 2, "depth"), "2");
	assert_ptr_equal(use(&l, 1, 0), &l.e.uses[1].treatment);
	assert_string_equal(value(use(&l, 1, 0)->params, 2, "speed"), "slow");
	assert_string_equal(value(use(&l, 1, 1)->params, 2, "speed"), "fast");
	assert_string_equal(value(use(&l, 1, 0)->params, 2, "note"), "both");
	assert_string_equal(value(use(&l, 1, 1)->params, 2, "note"), "both");
	unload(&l);
}

static void a_level_may_use_a_definition_of_its_own(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, "factors:\n"
		 "  f:\n"
		 "    levels:\n"
		 "    - plain\n"
		 "    - {name: x, use: single, speed: fast}\n"
		 "    - {name: ram, use: store}\n"
		 "    - {name: boxed, use: box/shell, depth: 9}\n");
	assert_int_equal(l.rc, 0);
	assert_null(l.e.uses[0].definition);
	assert_null(factor_treatment(&l.e, 0, 0));
	assert_string_equal(use(&l, 0, 1)->def->name, "single");
	assert_true(use(&l, 0, 1)->def->reboot);
	assert_string_equal(use(&l, 0, 1)->def->applies_to, "server");
	assert_string_equal(use(&l, 0, 2)->def->name, "store/ram");
	assert_string_equal(use(&l, 0, 3)->def->name, "box/shell");
	assert_string_equal(use(&l, 0, 3)->params[0].value, "9");
	unload(&l);
}

static void what_a_definition_sets_belongs_to_the_level(void **state)
{
	const struct level_use *u;
	struct loaded l;

	(void)state;
	load(&l, "factors:\n"
		 "  store:\n"
		 "    use: store\n"
		 "    levels: [dir, {name: ram, set: {place: /mem, more: 1}}]\n"
		 "  one: {use: single}\n");
	assert_int_equal(l.rc, 0);
	u = l.e.uses[0].levels;
	assert_int_equal(u[0].n_given, 0);
	assert_int_equal(u[0].n_vars, 2);
	assert_string_equal(value(u[0].vars, 2, "box_args"), "--dir ${root}");
	assert_string_equal(value(u[0].vars, 2, "place"), "${root}/${level}");
	assert_string_equal(u[0].vars[0].mark.file,
			    FAR "/treatments/store/dir.yaml");
	/* the level's own come first, and win */
	assert_int_equal(u[1].n_given, 2);
	assert_int_equal(u[1].n_vars, 3);
	assert_string_equal(u[1].vars[0].value, "/mem");
	assert_string_equal(u[1].vars[2].name, "box_args");
	u = l.e.uses[1].levels;
	assert_string_equal(u[0].vars[0].value, "= level == 'x' ? 2 : 4");
	assert_string_equal(u[1].vars[0].name, "twice");
	unload(&l);
}

static void two_families_make_two_layers_in_the_order_written(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, "factors:\n  store: {use: store}\n  n: [1, 2]\n"
		 "  box: {use: box, image: i}\n");
	assert_int_equal(l.rc, 0);
	assert_int_equal(l.e.n_layers, 2);
	assert_string_equal(layer_name(&l.e, 0), "store");
	assert_string_equal(layer_name(&l.e, 1), "box");
	unload(&l);
}

/* What the scripts of the layer see for $name at these levels. */
static void assert_seen(const struct loaded *l, size_t layer,
			const size_t *levels, const char *name,
			const char *wanted)
{
	const struct binding_run run = { .levels = levels, .replicate = 1 };
	struct error err = ERROR_INIT;
	struct bindings b = BINDINGS_INIT;
	const struct binding *found;

	if (layer == SIZE_MAX ? bindings_benchmark(&b, &l->e, &run, &err)
			      : bindings_layer(&b, &l->e, &run, layer, &err))
		fail_msg("%s", err.text);
	found = bindings_find(&b, name);
	if (!found && wanted)
		fail_msg("there is no $%s", name);
	if (wanted)
		assert_string_equal(found->value, wanted);
	else
		assert_null(found);
	bindings_release(&b);
}

static void a_storage_level_gives_what_the_platform_above_takes(void **state)
{
	const size_t dir_shell[] = { 0, 1 }, ram_shell[] = { 1, 1 };
	const size_t dir_bare[] = { 0, 0 };
	struct loaded l;

	(void)state;
	load(&l, "factors:\n"
		 "  store: {use: store, root: /data}\n"
		 "  box: {use: box, levels: [bare, shell], depth: 2}\n");
	assert_int_equal(l.rc, 0);
	/* the platform's own default gives way to what is beneath it */
	assert_seen(&l, 1, dir_shell, "box_args", "--dir /data");
	assert_seen(&l, 1, ram_shell, "box_args", "--ram");
	assert_seen(&l, 1, dir_shell, "level", "shell");
	assert_seen(&l, 1, dir_shell, "depth", "2");
	/* what the storage sets is computed with its own $level */
	assert_seen(&l, 1, dir_shell, "place", "/data/dir");
	assert_seen(&l, 0, dir_shell, "place", "/data/dir");
	assert_seen(&l, SIZE_MAX, dir_shell, "place", "/data/dir");
	assert_seen(&l, SIZE_MAX, ram_shell, "place", "/dev/shm");
	/* and the storage does not see what stands above it */
	assert_seen(&l, 0, dir_shell, "box", NULL);
	assert_seen(&l, 0, dir_shell, "depth", NULL);
	assert_seen(&l, 1, dir_bare, "depth", NULL);
	unload(&l);
}

static void the_other_way_round_they_do_not_meet(void **state)
{
	const size_t shell_dir[] = { 0, 0 };
	struct loaded l;

	(void)state;
	load(&l, "factors:\n"
		 "  box: {use: box, levels: [shell]}\n"
		 "  store: {use: store, levels: [dir]}\n");
	assert_int_equal(l.rc, 0);
	assert_seen(&l, 0, shell_dir, "box_args", "none");
	unload(&l);
}

static void mistakes_with_families(void **state)
{
	(void)state;
	assert_problems(
		"factors:\n"
		"  a: {use: box, levels: [bare, jial, ../x, jail], imgae: i}\n"
		"  b: {use: box/none}\n"
		"  c: {use: bxo}\n"
		"  d: {use: box/x/y, levels: [a]}\n"
		"  e: {use: store, levels: [dir], root: /x, image: y}\n",
		"6:32: there is no level \"jial\" in family box; did you mean "
		"\"jail\"? (levels: bare, jail, shell)\n"
		"6:38: there is no level \"../x\" in family box (levels: bare, "
		"jail, shell)\n"
		"6:44: treatment box/jail needs the parameter \"image\"\n"
		"7:12: there is no level \"none\" in family box (levels: bare, "
		"jail, shell)\n"
		"8:12: there is no treatment \"bxo\" in " NEAR "/library, "
		NEAR ", " FAR "; did you mean \"box\"? (treatments: bad, box, "
		"single, store)\n"
		"9:12: treatment \"box/x/y\" is no name: use letters (a-z), "
		"digits, \".\", \"_\" and \"-\"\n"
		"10:44: there is no key \"image\" in a factor\n");
}

static void a_factor_cannot_hide_a_parameter_of_one_level(void **state)
{
	(void)state;
	assert_problems(
		"factors:\n"
		"  box_args: {use: box, levels: [bare, shell]}\n",
		"6:3: factor \"box_args\" hides the parameter \"box_args\" of "
		"treatment box/shell; give the factor another name\n");
}

static void what_definitions_set_may_not_meet(void **state)
{
	(void)state;
	assert_problems("factors:\n"
			"  a: {use: store, levels: [dir]}\n"
			"  b: [{name: x, set: {place: y}}]\n"
			"  box_args: [1]\n",
			"6:3: level \"dir\" of factor \"a\" sets \"box_args\", "
			"which is a factor itself\n"
			"7:3: levels of both \"a\" and \"b\" set \"place\"; "
			"only one factor may\n");
}

static void mistakes_with_levels(void **state)
{
	(void)state;
	assert_problems(
		"factors:\n"
		"  a: [{name: x, lable: y}, {name: y, use: box/shell, dpth: a}]\n"
		"  b: {use: single, levels: [{name: x, speed: a, note: b, "
		"params: {note: c}}, {name: z, use: single}]}\n"
		"  c: [{name: ram, use: store, root: /x}, {name: q, use: "
		"stor}]\n",
		"6:17: there is no key \"lable\" in a level; did you mean "
		"\"label\"? (keys: name, label, set, use, params)\n"
		"6:54: there is no key \"dpth\" in a level; did you mean "
		"\"depth\"? (keys: name, label, set, use, params, box_args, "
		"depth)\n"
		"7:46: treatment single: parameter \"speed\": expected one of: "
		"slow, fast; got \"a\"\n"
		"7:67: parameter \"note\" is given twice\n"
		"7:85: there is no level \"z\" in treatment single (levels: x, "
		"y)\n"
		"8:31: there is no key \"root\" in a level (keys: name, label, "
		"set, use, params)\n"
		"8:57: there is no treatment \"stor\" in " NEAR "/library, "
		NEAR ", " FAR "; did you mean \"store\"? (treatments: bad, box, "
		"single, store)\n");
}

static void a_parameter_is_checked_where_it_is_given(void **state)
{
	(void)state;
	assert_problems(
		"factors:\n"
		"  a: {use: box, levels: [shell], depth: 10}\n"
		"  b: {use: store, root: tmp}\n",
		"6:41: treatment box/shell: parameter \"depth\": expected a "
		"whole number from 1 to 9, got \"10\"\n"
		"7:25: treatment store/dir: parameter \"root\": expected an "
		"absolute path without \"..\" in it, got \"tmp\"\n");
}

#define BAD NEAR "/treatments/bad/broken.yaml:"
#define USED " (used at x.yaml:5:20)\n"

static void mistakes_in_a_definition_of_a_family_name_the_use(void **state)
{
	(void)state;
	assert_problems(
		"factors: {a: {use: bad}}\n",
		BAD "2:10: \"a\" is a parameter as well; give what is set "
		    "another name" USED
		BAD "3:20: there is no type \"integr\"; did you mean "
		    "\"integer\"? (types: text, integer, number, size, "
		    "duration, boolean, path, choice)" USED
		BAD "3:61: \"max\" is below \"min\"" USED
		BAD "3:77: parameter \"c\" needs the key \"choices\"" USED
		BAD "3:123: the default of parameter \"d\": expected one of: "
		    "x; got \"y\"" USED
		BAD "3:136: \"min\" needs a type with an order: integer, "
		    "number, size or duration" USED
		BAD "3:165: the default of parameter \"f\": expected a size "
		    "such as 4096, 64K or 1.5G, got \"4X\"" USED
		BAD "3:198: \"choices\" needs \"type: choice\", not "
		    "\"boolean\"" USED
		BAD "3:208: \"max\" needs a type with an order: integer, "
		    "number, size or duration" USED
		BAD "4:9: one of a family is a level itself: leave \"levels\" "
		    "out" USED
		BAD "5:9: \"reboot\": expected true or false, got \"maybe\""
		    USED
		BAD "6:13: role \"a b\" is no name: use letters (a-z), digits, "
		    "\".\", \"_\" and \"-\"" USED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_makes_levels),
		cmocka_unit_test(the_levels_of_a_range_stand_where_it_stands),
		cmocka_unit_test(
			a_family_has_a_level_for_each_file_of_all_folders),
		cmocka_unit_test(
			each_level_of_a_family_has_the_nearest_definition),
		cmocka_unit_test(a_level_may_have_parameters_of_its_own),
		cmocka_unit_test(a_level_may_use_a_definition_of_its_own),
		cmocka_unit_test(what_a_definition_sets_belongs_to_the_level),
		cmocka_unit_test(
			two_families_make_two_layers_in_the_order_written),
		cmocka_unit_test(
			a_storage_level_gives_what_the_platform_above_takes),
		cmocka_unit_test(the_other_way_round_they_do_not_meet),
		cmocka_unit_test(mistakes_with_families),
		cmocka_unit_test(
			a_factor_cannot_hide_a_parameter_of_one_level),
		cmocka_unit_test(what_definitions_set_may_not_meet),
		cmocka_unit_test(mistakes_with_levels),
		cmocka_unit_test(a_parameter_is_checked_where_it_is_given),
		cmocka_unit_test(
			mistakes_in_a_definition_of_a_family_name_the_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
