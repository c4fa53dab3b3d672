#include "tests/unit/spec_fixture.h"

#include "base/hash.h"

/* The recipe of the text with its one `from` replaced by `to`. */
static void recipe(const char *text, const char *from, const char *to,
		   char hex[HASH_HEX_SIZE])
{
	struct buf changed = BUF_INIT;
	struct loaded l;
	const char *at = strstr(text, from);

	if (!at)
		fail_msg("there is no \"%s\"", from);
	buf_add(&changed, text, (size_t)(at - text));
	buf_adds(&changed, to);
	buf_adds(&changed, at + strlen(from));
	load(&l, changed.data);
	experiment_recipe(&l.e, hex);
	unload(&l);
	buf_release(&changed);
}

struct change {
	const char *from;
	const char *to;
};

static void assert_same(const char *text, const struct change *c, size_t n)
{
	char before[HASH_HEX_SIZE], after[HASH_HEX_SIZE];

	recipe(text, "assay", "assay", before);
	for (size_t i = 0; i < n; i++) {
		recipe(text, c[i].from, c[i].to, after);
		if (strcmp(before, after))
			fail_msg("\"%s\" for \"%s\" is another recipe",
				 c[i].to, c[i].from);
	}
}

/* Each is another recipe than the text's and than all others'. */
static void assert_other(const char *text, const struct change *c, size_t n)
{
	char (*hex)[HASH_HEX_SIZE] = mem_zalloc(n + 1, sizeof(*hex));

	recipe(text, "assay", "assay", hex[n]);
	for (size_t i = 0; i < n; i++) {
		recipe(text, c[i].from, c[i].to, hex[i]);
		for (size_t k = 0; k < i; k++)
			if (!strcmp(hex[i], hex[k]))
				fail_msg("\"%s\" and \"%s\" are one recipe",
					 c[i].to, c[k].to);
		if (!strcmp(hex[i], hex[n]))
			fail_msg("\"%s\" for \"%s\" is the same recipe",
				 c[i].to, c[i].from);
	}
	free(hex);
}

static void the_recipe_is_over_what_is_measured(void **state)
{
	static const struct change same[] = {
		{ "title: {en: All keys", "title: {en: Other" },
		{ "replicates: 5", "replicates: 50" },
		{ "[0x10, 1.0", "[1024, 0x10, 1.0" },
		{ "margin: 2.5%", "margin: 1%" },
		{ "interval: ci99", "interval: ci90" },
		{ "better: higher", "better: lower" },
		{ "label: Rate", "label: Speed" },
		{ "change: hard", "change: easy" },
		{ "nic: eth0, empty: ''", "empty: '', nic: eth0" },
		{ "assay: 1", "# a comment\nassay: 1" },
	};
	static const struct change other[] = {
		{ "script: echo 1", "script: echo 2" },
		{ "timeout: 1.5h", "timeout: 1.4h" },
		{ "json: .rate", "json: .rates" },
		{ "uom: 1/s", "uom: 1/h" },
		{ "unit: sheep", "unit: goats" },
		{ "file: /tmp/switch", "file: /tmp/swatch" },
		{ "{x: 0x10}", "{x: 16}" },
		{ "ssh: first", "ssh: last" },
		{ "port: 2222", "port: 22" },
		{ "nic: eth0", "nic: eth1" },
		{ "{power: 230}", "{power: 110}" },
		{ "  inline:\n", "  outline: {use: count, with: {unit: x}}\n"
				 "  inline:\n" },
	};

	(void)state;
	assert_same(full, same, N_ITEMS(same));
	assert_other(full, other, N_ITEMS(other));
}

/*
 * Recipes as they were before there were services, set-ups and look-ups: what
 * has been recorded is found again.
 */
static void campaigns_of_earlier_files_go_on(void **state)
{
	struct problems p = PROBLEMS_INIT;
	char hex[HASH_HEX_SIZE];
	struct experiment e;

	(void)state;
	recipe(full, "assay", "assay", hex);
	assert_string_equal(hex, "bc85b7c8993a7f86f4c7b2c0e88ec81ddf8abf046475"
				 "ce243a29d3266415df24");
	assert_int_equal(experiment_load(&e, "tests/data/recipe/"
					 "quickstart.yaml", NULL, NULL, &p),
			 0);
	experiment_recipe(&e, hex);
	assert_string_equal(hex, "717cc00f3d938bc4a8c164ed15e15ef56c36e5ea215e"
				 "254e9071a1c0689cfe8d");
	experiment_release(&e);
	problems_release(&p);
}

static const char parts[] =
	HOSTS
	"roles: {client: a, server: [b, c]}\n"
	"factors: {f: [x, y], g: [u, v]}\n"
	"benchmarks:\n"
	"  b:\n"
	"    tags: net\n"
	"    warmup: 2\n"
	"    repeats: 3\n"
	"    artefacts: [trace.json]\n"
	"    run:\n"
	"      role: {by: f, values: {x: server}, else: client}\n"
	"      script: {by: g, values: {u: one, v: two}}\n"
	"    responses: {t: {json: .}}\n"
	"    services:\n"
	"      - {as: echo, role: client, run: {by: g, values: {u: old}, else:\n"
	"         new}, ready: {tcp: 80}, timeout: 1m, stop: kill}\n"
	"      - {as: lone, run: x}\n"
	"    monitors:\n"
	"      - {use: load, role: client, with: {disk: sdb}}\n"
	"      - {run: watch, name: own, with: {a: 1}, needs: watch,\n"
	"         responses: {r: {json: .}}}\n"
	"  plain: {run: echo, responses: {t: {json: .}}}\n";

static void the_recipe_covers_what_runs_beside_a_benchmark(void **state)
{
	static const struct change same[] = {
		{ "tags: net", "tags: [disk, x]" },
		{ "artefacts: [trace.json]", "artefacts: [other]" },
		{ "timeout: 1m", "timeout: 2m" },
		{ "as: echo", "name: echo" },
		{ "responses: {r: {json: .}}", "responses: {s: {json: .}}" },
		{ "needs: watch", "needs: [watch, sh]" },
		{ "values: {u: one, v: two}", "values: {v: two, u: one}" },
		{ "{as: lone, run: x}", "{as: lone, run: x, role: {by: f, "
		  "else: client, values: {x: server}}}" },
		{ "factors: {f: [x, y]", "factors: {f: [y, x]" },
	};
	static const struct change other[] = {
		{ "warmup: 2", "warmup: 1" },
		{ "warmup: 2", "warmup: 0" },
		{ "repeats: 3", "repeats: 2" },
		{ "repeats: 3", "repeats: 1" },
		{ "{x: server}, else: client", "{x: client}, else: client" },
		{ "{x: server}, else: client", "{x: server}, else: server" },
		{ "{x: server}, else: client", "{x: server, y: client}" },
		{ "role: {by: f, values: {x: server}, else: client}",
		  "role: server" },
		{ "{by: g, values: {u: one, v: two}}", "one" },
		{ "{u: one, v: two}", "{u: one, v: one}" },
		{ "{u: one, v: two}", "{u: one}, else: two" },
		{ "as: echo", "as: echo2" },
		{ "role: client, run", "role: server, run" },
		{ "{u: old}", "{v: old}" },
		{ "{u: old}", "{u: older}" },
		{ "tcp: 80", "tcp: 81" },
		{ "tcp: 80", "file: 80" },
		{ ", ready: {tcp: 80}", "" },
		{ "stop: kill", "stop: kill x" },
		{ ", stop: kill", "" },
		{ "      - {as: lone, run: x}\n", "" },
		{ "{as: lone, run: x}", "{as: lone, run: y}" },
		{ "use: load, role: client", "use: load, role: server" },
		{ "use: load, role: client", "use: load, role: client, "
					     "interval: 1s" },
		{ "use: load, role", "use: load, name: l, role" },
		{ "disk: sdb", "disk: sdc" },
		{ "run: watch", "run: watch -x" },
		{ "with: {a: 1}", "with: {a: 2}" },
		{ "client: a, server: [b, c]", "client: b, server: [a, c]" },
		{ "client: a, server: [b, c]", "server: [b, c], client: "
					       "{hosts: [a, c]}" },
		{ "server: [b, c]", "server: {hosts: [b, c], count: 2}" },
		{ "server: [b, c]", "server: {hosts: [b, c], count: {by: f, "
				    "values: {x: 2}, else: 1}}" },
		{ "plain: {run: echo", "plain: {run: echo, warmup: 1" },
		{ "plain: {run: echo", "plain: {run: echo, monitors: [{use: "
				       "load}]" },
		{ "plain: {run: echo", "plain: {run: echo, services: [{as: x, "
				       "run: x}]" },
	};

	(void)state;
	assert_same(parts, same, N_ITEMS(same));
	assert_other(parts, other, N_ITEMS(other));
}

static void a_count_of_one_is_the_same_as_none(void **state)
{
	static const char text[] = HOSTS "roles: {sut: [a, b, c]}\n" BENCH;
	static const struct change same[] = {
		{ "[a, b, c]", "{hosts: [a, b, c]}" },
		{ "[a, b, c]", "{hosts: [a, b, c], count: 1}" },
	};
	static const struct change other[] = {
		{ "[a, b, c]", "{hosts: [a, b, c], count: 2}" },
		{ "[a, b, c]", "{hosts: [a, b, c], count: = 1}" },
		{ "sut: [a, b, c]", "sut: a, x: [b, c]" },
		{ "sut: [a, b, c]", "sut: b, x: [a, c]" },
	};

	(void)state;
	assert_same(text, same, N_ITEMS(same));
	assert_other(text, other, N_ITEMS(other));
}

static void the_recipe_covers_setups(void **state)
{
	static const char text[] =
		HEAD BENCH "factors: {f: [x, y], g: [u, v]}\n"
			   "setups:\n"
			   "  build: {per: [f, g], run: make, check: c, clean: "
			   "d, with: {a: 1}, timeout: 1m, cost: 1s, needs: x}\n"
			   "  data: {run: fetch}\n";
	static const struct change same[] = {
		{ "per: [f, g]", "per: [g, f]" },
		{ "cost: 1s", "cost: 2s" },
		{ "timeout: 1m", "timeout: 2m" },
		{ "needs: x", "needs: y" },
		{ "{run: fetch}", "{run: fetch, check: ':'}" },
		{ "{run: fetch}", "{per: [], run: fetch}" },
	};
	static const struct change other[] = {
		{ "build:", "built:" },
		{ "per: [f, g]", "per: [f]" },
		{ "per: [f, g]", "per: [g]" },
		{ "run: make", "run: make -j" },
		{ "check: c", "check: cc" },
		{ "clean: d", "clean: dd" },
		{ "a: 1", "a: 2" },
		{ "needs: x}", "needs: x, role: sut}" },
		{ "  data: {run: fetch}\n", "" },
	};

	(void)state;
	assert_same(text, same, N_ITEMS(same));
	assert_other(text, other, N_ITEMS(other));
}

/* What a definition may say more than its scripts. */
enum more { NOTHING, ENTER, REBOOT, APPLIES_TO, SET, LEVEL, N_MORE };

static void give(struct experiment *e, enum more more)
{
	struct treatment_def *d = e->uses[0].treatment.def;
	struct level_use *l = &e->uses[0].levels[1];

	switch (more) {
	case ENTER:
		d->enter = mem_strdup("sh -s");
		break;
	case REBOOT:
		d->reboot = true;
		break;
	case APPLIES_TO:
		d->applies_to = mem_strdup("sut");
		break;
	case SET:
		d->n_set = 1;
		d->set = mem_zalloc(1, sizeof(*d->set));
		d->set[0].name = mem_strdup("n");
		d->set[0].value = mem_strdup("v");
		break;
	case LEVEL:
		l->treatment.def = mem_zalloc(1, sizeof(*d));
		l->treatment.def->name = mem_strdup("switch");
		break;
	default:
		break;
	}
}

static void the_recipe_covers_all_of_a_definition(void **state)
{
	char hex[N_MORE][HASH_HEX_SIZE];

	(void)state;
	for (int i = 0; i < N_MORE; i++) {
		struct loaded l;

		load(&l, full);
		give(&l.e, (enum more)i);
		experiment_recipe(&l.e, hex[i]);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(hex[i], hex[k]);
		unload(&l);
	}
}

static struct variable *look_up(const char *level, const char *value,
				const char *otherwise)
{
	struct variable *v = mem_zalloc(1, sizeof(*v));

	v->name = mem_strdup("v");
	v->lookup = mem_zalloc(1, sizeof(*v->lookup));
	v->lookup->by = mem_strdup("f");
	v->lookup->n_cases = 1;
	v->lookup->cases = mem_zalloc(1, sizeof(*v->lookup->cases));
	v->lookup->cases[0].name = mem_strdup(level);
	v->lookup->cases[0].value = mem_strdup(value);
	v->lookup->otherwise = mem_strdup(otherwise);
	return v;
}

static void variables_of_the_experiment_and_look_ups_count(void **state)
{
	static const char *const cases[][3] = {
		{ "x", "1", NULL }, { "x", "1", "" }, { "x", "1", "2" },
		{ "x", "2", NULL }, { "y", "1", NULL },
	};
	char hex[N_ITEMS(cases) + 1][HASH_HEX_SIZE];

	(void)state;
	for (size_t i = 0; i <= N_ITEMS(cases); i++) {
		struct loaded l;

		load(&l, HEAD BENCH);
		if (i < N_ITEMS(cases)) {
			l.e.variables = look_up(cases[i][0], cases[i][1],
						cases[i][2]);
			l.e.n_variables = 1;
		}
		experiment_recipe(&l.e, hex[i]);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(hex[i], hex[k]);
		unload(&l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_recipe_is_over_what_is_measured),
		cmocka_unit_test(campaigns_of_earlier_files_go_on),
		cmocka_unit_test(
			the_recipe_covers_what_runs_beside_a_benchmark),
		cmocka_unit_test(a_count_of_one_is_the_same_as_none),
		cmocka_unit_test(the_recipe_covers_setups),
		cmocka_unit_test(the_recipe_covers_all_of_a_definition),
		cmocka_unit_test(
			variables_of_the_experiment_and_look_ups_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
