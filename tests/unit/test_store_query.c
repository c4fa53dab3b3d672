#include "tests/unit/store_fixture.h"

#include "base/buf.h"
#include "base/path.h"

static const struct plan_item items[] = {
	{ "b", 1, "beta" }, { "a", 10, "alpha" }, { "a", 2, "beta" },
	{ "a", 1, "alpha" }, { "c", 1, "alpha" },
};
#define N_ITEMS (sizeof(items) / sizeof(items[0]))

static void a_frame_is_ordered_by_treatment_replicate_and_host(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t session = new_session(s, c);
	struct error err = ERROR_INIT;
	struct frame f;

	end(s, begin(s, c, session, "b/f=b#1", "beta"), OUTCOME_OK, 21);
	end(s, begin(s, c, session, "b/f=a#10", "alpha"), OUTCOME_OK, 110);
	end(s, begin(s, c, session, "b/f=a#2", "beta"), OUTCOME_OK, 12);
	end(s, begin(s, c, session, "b/f=a#1", "alpha"), OUTCOME_OK, 11);
	ok(store_frame(s, c, "b", "time", &f, &err));
	assert_string_equal(f.benchmark, "b");
	assert_string_equal(f.response, "time");
	assert_string_equal(f.uom, "s");
	assert_int_equal(f.better, BETTER_LOWER);
	assert_int_equal(f.n_keys, 2);
	assert_string_equal(f.keys[0], "f=a");
	assert_string_equal(f.keys[1], "f=b");
	assert_int_equal(f.n_hosts, 2);
	assert_string_equal(f.hosts[0], "alpha");
	assert_string_equal(f.hosts[1], "beta");
	assert_int_equal(f.n_runs, 4);
	assert_int_equal(f.n_values, 4);
	for (size_t i = 0; i < 4; i++) {
		static const double values[] = { 11, 12, 110, 21 };
		static const struct frame_run runs[] = {
			{ 0, 1, 0, 4, RUN_OK, 4 }, { 0, 2, 1, 3, RUN_OK, 3 },
			{ 0, 10, 0, 2, RUN_OK, 2 }, { 1, 1, 1, 1, RUN_OK, 1 },
		};

		assert_int_equal(f.runs[i].treatment, runs[i].treatment);
		assert_int_equal(f.runs[i].replicate, runs[i].replicate);
		assert_int_equal(f.runs[i].host, runs[i].host);
		assert_int_equal(f.runs[i].sequence, runs[i].sequence);
		assert_int_equal(f.runs[i].status, runs[i].status);
		assert_int_equal(f.runs[i].attempt, runs[i].attempt);
		assert_int_equal(f.run_of[i], i);
		assert_true(f.value[i] == values[i]);
	}
	drop_frame(&f);
	store_close(s);
}

static void the_newest_settling_attempt_counts(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t session = new_session(s, c);
	struct error err = ERROR_INIT;
	struct frame f;

	end(s, begin(s, c, session, "b/f=a#1", "alpha"), OUTCOME_LOST, 1);
	end(s, begin(s, c, session, "b/f=a#1", "alpha"), OUTCOME_FAILED, 2);
	end(s, begin(s, c, session, "b/f=a#1", "beta"), OUTCOME_OK, 3);
	end(s, begin(s, c, session, "b/f=a#1", "gamma"), OUTCOME_STOPPED, 4);
	begin(s, c, session, "b/f=a#1", "delta");
	end(s, begin(s, c, session, "b/f=b#1", "alpha"), OUTCOME_STOPPED, 5);
	ok(store_frame(s, c, "b", "time", &f, &err));
	assert_int_equal(f.n_runs, 1);
	assert_int_equal(f.runs[0].attempt, 3);
	assert_int_equal(f.n_hosts, 1);
	assert_string_equal(f.hosts[0], "beta");
	assert_int_equal(f.n_values, 1);
	assert_true(f.value[0] == 3);
	drop_frame(&f);
	assert_int_equal(store_run_done(s, c, "b/f=a#1"), 1);
	assert_int_equal(store_run_done(s, c, "b/f=b#1"), 0);
	assert_int_equal(store_run_done(s, c, "b/f=c#1"), 0);
	assert_int_equal(store_run_done(s, c, "no such run"), 0);
	store_close(s);
}

static void every_settled_outcome_is_in_the_frame(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t session = new_session(s, c);
	struct error err = ERROR_INIT;
	struct frame f;

	end(s, begin(s, c, session, "b/f=a#1", "alpha"), OUTCOME_OK, 1);
	end(s, begin(s, c, session, "b/f=a#2", "alpha"), OUTCOME_FAILED, NAN);
	end(s, begin(s, c, session, "b/f=a#10", "alpha"), OUTCOME_TIMEOUT, NAN);
	end(s, begin(s, c, session, "b/f=b#1", "alpha"), OUTCOME_INVALID, 9);
	ok(store_frame(s, c, "b", "time", &f, &err));
	assert_int_equal(f.n_runs, 4);
	assert_int_equal(f.runs[0].status, RUN_OK);
	assert_int_equal(f.runs[1].status, RUN_FAILED);
	assert_int_equal(f.runs[2].status, RUN_CENSORED);
	assert_int_equal(f.runs[3].status, RUN_INVALID);
	assert_int_equal(f.n_values, 2);
	assert_int_equal(f.run_of[1], 3);
	drop_frame(&f);
	store_close(s);
}

static void observations_of_a_run_keep_their_order(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t id = begin(s, c, new_session(s, c), "b/f=a#1", "alpha");
	struct observation o[] = {
		{ "time", 3, "s", BETTER_LOWER },
		{ "time", 1, "s", BETTER_LOWER },
		{ "rate", 7, NULL, BETTER_HIGHER },
		{ "time", 2, "s", BETTER_LOWER },
	};
	struct attempt_end e = { .observations = o, .n_observations = 4 };
	struct error err = ERROR_INIT;
	struct frame f;

	ok(store_attempt_end(s, id, &e, &err));
	ok(store_frame(s, c, "b", "time", &f, &err));
	assert_int_equal(f.n_values, 3);
	assert_true(f.value[0] == 3 && f.value[1] == 1 && f.value[2] == 2);
	assert_true(f.run_of[0] == 0 && f.run_of[2] == 0);
	drop_frame(&f);
	ok(store_frame(s, c, "b", "rate", &f, &err));
	assert_int_equal(f.n_values, 1);
	assert_string_equal(f.uom, "");
	assert_int_equal(f.better, BETTER_HIGHER);
	drop_frame(&f);
	store_close(s);
}

static void campaigns_and_benchmarks_do_not_mix(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t one = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t two = plan(s, new_campaign(s), items, N_ITEMS);
	struct error err = ERROR_INIT;
	struct frame f;

	end(s, begin(s, one, new_session(s, one), "b/f=a#1", "alpha"),
	    OUTCOME_OK, 1);
	end(s, begin(s, two, new_session(s, two), "b/f=a#1", "alpha"),
	    OUTCOME_OK, 2);
	ok(store_frame(s, one, "b", "time", &f, &err));
	assert_int_equal(f.n_values, 1);
	assert_true(f.value[0] == 1);
	drop_frame(&f);
	ok(store_frame(s, one, "other", "time", &f, &err));
	assert_int_equal(f.n_runs, 0);
	assert_int_equal(f.n_values, 0);
	assert_string_equal(f.uom, "");
	drop_frame(&f);
	store_close(s);
}

static void units_that_differ_are_refused(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t session = new_session(s, c);
	int64_t id = begin(s, c, session, "b/f=a#1", "alpha");
	struct observation o = { "time", 3, "ms", BETTER_LOWER };
	struct attempt_end e = { .observations = &o, .n_observations = 1 };
	struct error err = ERROR_INIT;
	struct frame f;

	ok(store_attempt_end(s, id, &e, &err));
	end(s, begin(s, c, session, "b/f=a#2", "alpha"), OUTCOME_OK, 1);
	refused(store_frame(s, c, "b", "time", &f, &err), ERROR_USAGE,
		"time of b was recorded both in \"ms\" and in \"s\"");
	store_close(s);
}

static void status_tells_every_run_by_position(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t session = new_session(s, c);
	struct run_status_row *rows = NULL;
	struct error err = ERROR_INIT;
	size_t n = 0;

	end(s, begin(s, c, session, "b/f=b#1", "beta"), OUTCOME_LOST, NAN);
	end(s, begin(s, c, session, "b/f=b#1", "gamma"), OUTCOME_OK, 1);
	end(s, begin(s, c, session, "b/f=a#10", "alpha"), OUTCOME_FAILED, NAN);
	end(s, begin(s, c, session, "b/f=b#1", "delta"), OUTCOME_LOST, NAN);
	begin(s, c, session, "b/f=a#10", "alpha");
	begin(s, c, session, "b/f=a#2", "beta");
	ok(store_status(s, c, &rows, &n, &err));
	assert_int_equal(n, 5);
	assert_string_equal(rows[0].key, "b/f=b#1");
	assert_string_equal(rows[0].host, "delta");
	assert_string_equal(rows[0].benchmark, "b");
	assert_string_equal(rows[0].treatment, "f=b");
	assert_int_equal(rows[0].replicate, 1);
	assert_int_equal(rows[0].position, 1);
	assert_true(rows[0].begun && rows[0].ended);
	assert_int_equal(rows[0].outcome, OUTCOME_OK);
	assert_null(rows[0].reason);
	assert_int_equal(rows[0].attempts, 3);
	assert_int_equal(rows[0].settlings, 1);
	assert_true(rows[0].duration == 1.5);

	assert_true(rows[1].begun && !rows[1].ended);
	assert_int_equal(rows[1].outcome, OUTCOME_FAILED);
	assert_string_equal(rows[1].reason, "a reason");
	assert_true(rows[2].begun && !rows[2].ended);
	assert_true(isnan(rows[2].duration));
	assert_false(rows[3].begun || rows[3].ended);
	assert_string_equal(rows[3].host, "alpha");
	assert_int_equal(rows[4].position, 5);
	run_status_free(rows, n);
	store_close(s);
}

static void a_run_is_shown_with_all_it_printed(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t id = begin(s, c, new_session(s, c), "b/f=a#10", "beta");
	size_t n_big = 200000;
	char *big = mem_alloc(n_big);
	struct observation o[] = { { "time", 0.1, "s", BETTER_LOWER },
				   { "rate", -4, "1/s", BETTER_HIGHER } };
	struct attempt_end e = {
		.outcome = OUTCOME_FAILED, .reason = "exit status 3",
		.exit_status = 3, .started = 123456789012345, .duration = 0.25,
		.out = { .head = big, .n_head = n_big, .tail = "a\0\xff", 
			 .n_tail = 3, .truncated = true },
		.err = { .head = "", .n_head = 0 },
		.observations = o, .n_observations = 2,
	};
	struct attempt_detail *a;
	struct run_detail d;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < n_big; i++)
		big[i] = (char)(i % 7 + i / 1000);
	ok(store_evidence(s, id, "beta", "f", "a", "verify-before", 0, "is a\n",
			  5, &err));
	ok(store_evidence(s, id, "beta", NULL, NULL, "script", -1, NULL, 0,
			  &err));
	ok(store_attempt_end(s, id, &e, &err));
	ok(store_run_detail(s, c, "2", &d, &err));
	assert_string_equal(d.key, "b/f=a#10");
	assert_string_equal(d.host, "alpha");
	assert_int_equal(d.n_attempts, 1);
	a = &d.attempts[0];
	assert_int_equal(a->id, id);
	assert_string_equal(a->host, "beta");
	assert_string_equal(a->commit, "c0ffee");
	assert_string_equal(a->version, "1.0");
	assert_string_equal(a->reason, "exit status 3");
	assert_true(a->ended && a->outcome == OUTCOME_FAILED);
	assert_int_equal(a->exit_status, 3);
	assert_true(a->started == 123456789012345);
	assert_true(a->duration == 0.25);
	assert_int_equal(a->n_out_head, n_big);
	assert_memory_equal(a->out_head, big, n_big);
	assert_int_equal(a->n_out_tail, 3);
	assert_memory_equal(a->out_tail, "a\0\xff", 3);
	assert_true(a->out_truncated);
	assert_int_equal(a->n_err_head, 0);
	assert_string_equal(a->err_head, "");
	assert_false(a->err_truncated);
	assert_int_equal(a->n_observations, 2);
	assert_string_equal(a->observations[0].response, "time");
	assert_true(a->observations[0].value == 0.1);
	assert_string_equal(a->observations[1].uom, "1/s");
	assert_int_equal(a->n_evidence, 2);
	assert_string_equal(a->evidence[0].factor, "f");
	assert_string_equal(a->evidence[0].level, "a");
	assert_string_equal(a->evidence[0].phase, "verify-before");
	assert_string_equal(a->evidence[0].text, "is a\n");
	assert_int_equal(a->evidence[0].exit_status, 0);
	assert_null(a->evidence[1].factor);
	assert_int_equal(a->evidence[1].exit_status, -1);
	assert_int_equal(a->evidence[1].n_text, 0);
	run_detail_release(&d);
	free(big);
	store_close(s);
	expect(t->db, "SELECT encoding || (length(data) < size) FROM content"
	       " WHERE size = 200000", "zstd1");
}

static void a_run_is_found_by_key_and_by_position(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	struct plan_item more[] = { { "z", 1, "alpha" } };
	struct error err = ERROR_INIT;
	struct campaign campaign;
	char *told;
	struct run_detail d;

	ok(store_run_detail(s, c, "b/f=c#1", &d, &err));
	assert_string_equal(d.key, "b/f=c#1");
	assert_int_equal(d.n_attempts, 0);
	run_detail_release(&d);
	ok(store_campaign_latest(s, &campaign, &err));
	told = mem_printf("no run \"6\" in campaign %.8s: `assay plan --all`",
			  campaign.uuid);
	refused(store_run_detail(s, c, "6", &d, &err), ERROR_USAGE, told);
	free(told);
	campaign_release(&campaign);
	refused(store_run_detail(s, c, "", &d, &err), ERROR_USAGE,
		"no run \"\"");
	refused(store_run_detail(s, c, "99999999999999999999", &d, &err),
		ERROR_USAGE, "no run");
	plan(s, c, more, 1);
	refused(store_run_detail(s, c, "1", &d, &err), ERROR_USAGE,
		"2 runs were planned at position 1");
	store_close(s);
}

static void host_facts_are_the_latest_and_sorted(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = new_campaign(s);
	int64_t one = new_session(s, c), two = new_session(s, c);
	struct host_fact_row *rows = NULL;
	struct error err = ERROR_INIT;
	size_t n = 0;

	ok(store_host_fact(s, one, "beta", "kernel", "5", &err));
	ok(store_host_fact(s, one, "alpha", "kernel", "5", &err));
	ok(store_host_fact(s, one, "alpha", "cpu", NULL, &err));
	ok(store_host_fact(s, two, "alpha", "kernel", "6", &err));
	ok(store_host_facts(s, c, &rows, &n, &err));
	assert_int_equal(n, 3);
	assert_string_equal(rows[0].host, "alpha");
	assert_string_equal(rows[0].key, "cpu");
	assert_string_equal(rows[0].value, "");
	assert_string_equal(rows[1].value, "6");
	assert_string_equal(rows[2].host, "beta");
	host_facts_free(rows, n);
	store_close(s);
}

/* Records the items in the given order, some after a lost attempt. */
static void fill(struct store *s, const int *order, double changed)
{
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t session = new_session(s, c);

	for (size_t i = 0; i < N_ITEMS; i++) {
		const struct plan_item *item = &items[order[i]];
		enum outcome outcome = order[i] == 4 ? OUTCOME_FAILED :
						       OUTCOME_OK;
		double value = order[i] == 2 ? changed : order[i] * 0.1;
		char key[50];

		snprintf(key, sizeof(key), "b/f=%s#%u", item->level,
			 item->replicate);
		if (order[0] != 0)
			end(s, begin(s, c, session, key, item->host),
			    OUTCOME_LOST, 5);
		end(s, begin(s, c, session, key, item->host), outcome,
		    outcome == OUTCOME_OK ? value : NAN);
	}
}

static void digest_of(struct scratch *t, const char *name, const int *order,
		      double changed, char hex[65])
{
	char *path = mem_printf("%s/%s", t->dir, name);
	struct store *s = open_store(path, STORE_WRITE);
	struct error err = ERROR_INIT;

	fill(s, order, changed);
	ok(store_digest(s, 1, hex, &err));
	store_close(s);
	free(path);
}

static void the_digest_depends_on_the_data_alone(void **state)
{
	static const int forth[] = { 0, 1, 2, 3, 4 };
	static const int mixed[] = { 3, 1, 4, 0, 2 };
	char a[65], b[65], c[65];

	digest_of(*state, "a.db", forth, 0.25, a);
	digest_of(*state, "b.db", mixed, 0.25, b);
	digest_of(*state, "c.db", forth, nextafter(0.25, 1), c);
	assert_int_equal(strspn(a, "0123456789abcdef"), 64);
	assert_string_equal(a, b);
	assert_string_not_equal(a, c);
}

static void the_digest_is_what_the_manual_says(void **state)
{
	static const int forth[] = { 0, 1, 2, 3, 4 };
	char hex[65];

	digest_of(*state, "a.db", forth, 0.25, hex);
	/* printf 'assay-data-1\0b/f=a#1\0alpha\0ok\0time\0s\0%.17g\0\0...' */
	assert_string_equal(hex, "8434357f5aea4ece14dd0ce0d71e7e04581ba10a16946214deff2aeaa375fdfb");
}

/* The n-th block of SQL in the manual; caller frees. NULL after the last. */
static char *example(int n)
{
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	const char *at;
	char *sql = NULL;

	ok(path_read("docs/store.md", 1 << 20, &text, &err));
	at = text.data;
	while (n-- >= 0 && at) {
		at = strstr(at, "```sql\n");
		at = at ? at + 7 : NULL;
	}
	if (at)
		sql = mem_strndup(at, (size_t)(strstr(at, "```") - at));
	buf_release(&text);
	return sql;
}

/* Rows as text: columns joined by '|', each row ended by a newline. */
static int add_row(void *ctx, int n, char **values, char **names)
{
	(void)names;
	for (int i = 0; i < n; i++)
		buf_addf(ctx, "%s%s", values[i] ? values[i] : "NULL",
			 i + 1 < n ? "|" : "\n");
	return 0;
}

static void the_manuals_queries_work(void **state)
{
	static const char *const wanted[] = {
		"b|f=a|time|s|2|2.25\nb|f=b|time|s|1|5.0\n",
		"2|b/f=a#10|alpha|timeout|a reason\n"
		"5|b/f=c#1|alpha|failed|a reason\n",
		"",
		"stdout|plain|3|out\n",
		"1|NULL|NULL|NULL|5\n",
		NULL,
	};
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t session = new_session(s, c);
	struct observation o[] = { { "time", 2, "s", BETTER_LOWER },
				   { "time", 4, "s", BETTER_LOWER } };
	struct attempt_end e = { .observations = o, .n_observations = 2 };
	struct error err = ERROR_INIT;
	sqlite3 *db = NULL;

	end(s, begin(s, c, session, "b/f=b#1", "beta"), OUTCOME_OK, 5);
	end(s, begin(s, c, session, "b/f=a#1", "alpha"), OUTCOME_OK, 1.5);
	ok(store_attempt_end(s, begin(s, c, session, "b/f=a#2", "beta"), &e,
			     &err));
	end(s, begin(s, c, session, "b/f=a#10", "alpha"), OUTCOME_TIMEOUT, NAN);
	end(s, begin(s, c, session, "b/f=c#1", "alpha"), OUTCOME_FAILED, NAN);
	store_close(s);
	assert_int_equal(sqlite3_open(t->db, &db), SQLITE_OK);
	for (int i = 0; wanted[i]; i++) {
		struct buf got = BUF_INIT;
		char *sql = example(i), *message = NULL;

		assert_non_null(sql);
		if (sqlite3_exec(db, sql, add_row, &got, &message))
			fail_msg("%s: %s", sql, message);
		assert_string_equal(got.data, wanted[i]);
		buf_release(&got);
		free(sql);
	}
	assert_null(example(5));
	sqlite3_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
		TEST(a_frame_is_ordered_by_treatment_replicate_and_host),
		TEST(the_newest_settling_attempt_counts),
		TEST(every_settled_outcome_is_in_the_frame),
		TEST(observations_of_a_run_keep_their_order),
		TEST(campaigns_and_benchmarks_do_not_mix),
		TEST(units_that_differ_are_refused),
		TEST(status_tells_every_run_by_position),
		TEST(a_run_is_shown_with_all_it_printed),
		TEST(a_run_is_found_by_key_and_by_position),
		TEST(host_facts_are_the_latest_and_sorted),
		TEST(the_digest_depends_on_the_data_alone),
		TEST(the_digest_is_what_the_manual_says),
		TEST(the_manuals_queries_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
