#include "tests/unit/spec_fixture.h"

#include "orchestrate/spec/benchmark_parse.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/responses.h"

static const struct key_table *const tables[] = {
	&host_keys, &role_keys, &setup_keys, &benchmark_keys, &run_keys,
	&service_keys, &ready_keys, &monitor_keys, &response_keys,
	&lookup_keys,
};

/* Whether it is YAML, and has the key. */
static bool shows(const char *example, const char *name)
{
	struct problems p = PROBLEMS_INIT;
	struct yaml_doc doc;
	bool ok = yaml_doc_parse(&doc, "example", example, strlen(example),
				 &p) == 0 && yaml_get(doc.root, name) != NULL;

	yaml_doc_release(&doc);
	problems_release(&p);
	return ok;
}

static void assert_described(const struct key_table *t, const struct key *key)
{
	if (!key->doc)
		fail_msg("\"%s\" of %s has no doc", key->name, t->what);
	if (key->kind == VALUE_LATER)
		return;
	if (!key->example || !shows(key->example, key->name))
		fail_msg("\"%s\" of %s has no example of it", key->name,
			 t->what);
	if (key->kind == VALUE_CUSTOM && !key->form)
		fail_msg("\"%s\" of %s has no form", key->name, t->what);
	if (key->required && key->fallback)
		fail_msg("\"%s\" of %s is required and has a fallback",
			 key->name, t->what);
}

static void every_key_is_described_with_an_example(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ITEMS(tables); i++)
		for (size_t k = 0; k < tables[i]->n; k++)
			assert_described(tables[i], &tables[i]->keys[k]);
}

/* The keys that have a shape as written in one example each are read. */
static void examples_of_a_benchmark_are_read(void **state)
{
	static const char *const with_run[] = {
		"label", "tags", "timeout", "warmup", "repeats", "needs",
		"services", "artefacts",
	};

	(void)state;
	for (size_t i = 0; i < N_ITEMS(with_run); i++) {
		const struct key *key = benchmark_keys.keys;
		struct buf text = BUF_INIT;
		struct loaded l;

		while (strcmp(key->name, with_run[i]))
			key++;
		buf_addf(&text, HOSTS "roles: {sut: [a, b], server: c}\n"
			 "benchmarks:\n  b:\n    run: echo\n"
			 "    responses: {t: {json: .}}\n    %s\n",
			 key->example);
		load(&l, text.data);
		unload(&l);
		buf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_is_described_with_an_example),
		cmocka_unit_test(examples_of_a_benchmark_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
