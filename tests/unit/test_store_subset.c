#include "tests/unit/store_fixture.h"

#include "base/buf.h"
#include "base/path.h"
#include "orchestrate/store/store_changes.h"
#include "orchestrate/store/store_subset.h"

static const struct plan_item items[] = {
	{ "a", 1, "alpha" }, { "b", 1, "alpha" }, { "a", 2, "alpha" },
};
#define N_ITEMS (sizeof(items) / sizeof(items[0]))

static char quick[] = "quick,long", tags[] = "net and not slow",
	    narrowing[] = "only f=a,b; replicates=3";

static int64_t begin_session(struct store *s, int64_t campaign,
			     const struct subset *subset)
{
	struct error err = ERROR_INIT;
	int64_t id = 0;

	ok(store_session_new(s, campaign, NULL, "1.0", subset, &id, &err));
	return id;
}

static void what_part_was_asked_for_is_kept_with_the_session(void **state)
{
	struct scratch *t = *state;
	struct subset asked = { quick, tags, narrowing };
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t narrowed = begin_session(s, c, &asked);
	int64_t whole = begin_session(s, c, NULL);
	struct subset_row *rows = NULL;
	struct run_detail d = { .key = NULL };
	struct error err = ERROR_INIT;
	size_t n = 0;

	begin_session(s, c, &asked);
	end(s, begin(s, c, narrowed, "b/f=a#1", "alpha"), OUTCOME_OK, 1);
	end(s, begin(s, c, whole, "b/f=b#1", "alpha"), OUTCOME_OK, 1);
	end(s, begin(s, c, whole, "b/f=a#2", "alpha"), OUTCOME_OK, 1);
	ok(store_subsets(s, c, &rows, &n, &err));
	assert_int_equal(n, 2);
	assert_string_equal(rows[0].subset.profiles, quick);
	assert_string_equal(rows[0].subset.tags, tags);
	assert_string_equal(rows[0].subset.narrowing, narrowing);
	assert_false(subset_is_all(&rows[0].subset));
	assert_int_equal(rows[0].n_sessions, 2);
	assert_int_equal(rows[0].n_runs, 1);
	assert_true(subset_is_all(&rows[1].subset));
	assert_int_equal(rows[1].n_runs, 2);
	subset_rows_free(rows, n);
	ok(store_run_detail(s, c, "b/f=a#1", &d, &err));
	assert_string_equal(d.attempts[0].subset.narrowing, narrowing);
	run_detail_release(&d);
	ok(store_run_detail(s, c, "b/f=b#1", &d, &err));
	assert_true(subset_is_all(&d.attempts[0].subset));
	run_detail_release(&d);
	store_close(s);
}

static void copy_sample(const char *to)
{
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;
	char *dir = path_dir(to);

	ok(path_read("tests/data/store/format-1.db", 1 << 20, &bytes, &err));
	ok(path_make_dirs(dir, &err));
	ok(path_write(to, bytes.data, bytes.n, &err));
	buf_release(&bytes);
	free(dir);
}

static void a_file_of_format_1_is_read_and_goes_on(void **state)
{
	struct scratch *t = *state;
	struct error err = ERROR_INIT;
	struct subset_row *rows = NULL;
	struct campaign c;
	struct store *s;
	char before[65], after[65];
	size_t n = 0;

	copy_sample(t->db);
	expect(t->db, "PRAGMA user_version", "1");
	s = open_store(t->db, STORE_READ);
	ok(store_campaign_latest(s, &c, &err));
	assert_string_equal(c.experiment, "old");
	ok(store_subsets(s, c.id, &rows, &n, &err));
	assert_int_equal(n, 1);
	assert_int_equal(rows[0].n_runs, 8);
	assert_true(subset_is_all(&rows[0].subset));
	subset_rows_free(rows, n);
	ok(store_digest(s, c.id, before, &err));
	store_close(s);
	expect(t->db, "PRAGMA user_version", "3");
	expect(t->db, "PRAGMA integrity_check", "ok");
	expect(t->db, "SELECT count(*) FROM result", "8");
	s = open_store(t->db, STORE_WRITE);
	begin_session(s, c.id, &(struct subset){ .narrowing = narrowing });
	ok(store_digest(s, c.id, after, &err));
	assert_string_equal(before, after);
	store_close(s);
	expect(t->db, "SELECT group_concat(coalesce(narrowing, '-'), '|')"
		      " FROM session", "-|only f=a,b; replicates=3");
	assert_int_equal(outside(t->db, "UPDATE session SET tags = 'x'", NULL),
			 SQLITE_CONSTRAINT);
	campaign_release(&c);
}

/* Columns of `session` are the public's from now on. */
static void a_new_file_and_an_old_one_have_the_same_tables(void **state)
{
	struct scratch *t = *state;
	const char *columns = "SELECT group_concat(name || ' ' || type)"
			      " FROM pragma_table_info('session')";
	char *old = mem_printf("%s/old.db", t->dir), *wanted;

	copy_sample(old);
	store_close(open_store(old, STORE_WRITE));
	store_close(open_store(t->db, STORE_WRITE));
	wanted = ask(old, columns);
	expect(t->db, columns, wanted);
	expect(old, columns,
	       "id INTEGER,campaign INTEGER,commit_id TEXT,version TEXT,"
	       "started INTEGER,profiles TEXT,tags TEXT,narrowing TEXT");
	free(wanted);
	free(old);
}

/* Times as the tests want them: the clock's own cannot be foretold. */
static const char timeline[] =
	"INSERT INTO campaign VALUES (1, 'u', 'r', 'x', '1', 0);"
	"INSERT INTO session (id, campaign, version, started)"
	" VALUES (1, 1, '1', 0);"
	"INSERT INTO treatment VALUES (1, 't');"
	"INSERT INTO run VALUES (1, 1, 'k', 'b', 1, 1, 'h', 1);"
	"INSERT INTO attempt VALUES"
	" (1, 1, 1, 'h', 'x1', 0), (2, 1, 1, 'h', 'x2', 100000000000),"
	" (3, 1, 1, 'h', 'x3', 200000000000), (4, 1, 1, 'g', 'x4', 1);"
	/* disk: 3 s to apply, cache on it: 1 s; then 50 s of measuring */
	"INSERT INTO saved_state VALUES"
	" (1, 1, 'h', '', 'disk', 'a', '', '', 1, 1000000000),"
	" (2, 1, 'h', '', 'cache', 'x', '', '', 1, 3500000000);"
	"INSERT INTO evidence VALUES"
	" (1, 1, 'h', 'disk', 'a', 'apply', 0, NULL, 3000000000),"
	" (2, 1, 'h', 'cache', 'x', 'apply', 0, NULL, 4000000000);"
	"INSERT INTO outcome (attempt, outcome, ended)"
	" VALUES (1, 'ok', 54000000000);"
	/* then cache is put back in 2 s, disk in 10 s, disk applied in 5 s;
	 * the cache fails */
	"INSERT INTO reverted VALUES (2, 102000000000), (1, 112000000000);"
	"INSERT INTO saved_state VALUES"
	" (3, 1, 'h', '', 'disk', 'b', '', '', 1, 112500000000),"
	" (4, 1, 'h', '', 'cache', 'y', '', '', 1, 118000000000);"
	"INSERT INTO evidence VALUES"
	" (3, 2, 'h', 'disk', 'b', 'apply', 0, NULL, 117000000000),"
	" (4, 2, 'h', 'cache', 'y', 'apply', 1, NULL, 119000000000);"
	"INSERT INTO outcome (attempt, outcome, ended)"
	" VALUES (2, 'invalid', 120000000000);"
	/* attempt 3 died at once, and `assay restore` put back what attempt 2
	 * left, days later: nobody's time */
	"INSERT INTO reverted VALUES"
	" (4, 900000000000000), (3, 900001000000000);";

static void what_settings_took_is_read_from_the_record(void **state)
{
	struct scratch *t = *state;
	struct error err = ERROR_INIT;
	struct change_time *times = NULL;
	struct store *s;
	size_t n = 0;

	store_close(open_store(t->db, STORE_WRITE));
	assert_int_equal(outside(t->db, timeline, NULL), SQLITE_OK);
	s = open_store(t->db, STORE_READ);
	ok(store_change_times(s, 1, &times, &n, &err));
	assert_int_equal(n, 2);
	assert_string_equal(times[0].factor, "cache");
	assert_int_equal(times[0].n_apply, 1);
	assert_float_equal(times[0].apply, 1, 1e-9);
	assert_int_equal(times[0].n_revert, 1);
	assert_float_equal(times[0].revert, 2, 1e-9);
	assert_string_equal(times[1].factor, "disk");
	assert_int_equal(times[1].n_apply, 2);
	assert_float_equal(times[1].apply, 4, 1e-9);
	assert_float_equal(times[1].revert, 10, 1e-9);
	change_times_free(times, n);
	store_close(s);
}

static void without_settings_there_are_no_times(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	struct error err = ERROR_INIT;
	struct change_time *times = NULL;
	size_t n = 9;

	ok(store_change_times(s, new_campaign(s), &times, &n, &err));
	assert_int_equal(n, 0);
	change_times_free(times, n);
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
		TEST(what_part_was_asked_for_is_kept_with_the_session),
		TEST(a_file_of_format_1_is_read_and_goes_on),
		TEST(a_new_file_and_an_old_one_have_the_same_tables),
		TEST(what_settings_took_is_read_from_the_record),
		TEST(without_settings_there_are_no_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
