#include "tests/unit/store_fixture.h"

static const struct plan_item items[] = {
	{ "b", 1, "beta" }, { "a", 10, "alpha" }, { "a", 2, "beta" },
	{ "a", 1, "alpha" }, { "c", 1, "alpha" },
};
#define N_ITEMS (sizeof(items) / sizeof(items[0]))

static void a_run_made_again_is_counted_and_keeps_its_settled_outcome(
	void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t session = new_session(s, c);
	struct run_status_row *rows = NULL;
	struct error err = ERROR_INIT;
	size_t n = 0;

	end(s, begin(s, c, session, "b/f=b#1", "alpha"), OUTCOME_LOST, NAN);
	end(s, begin(s, c, session, "b/f=b#1", "alpha"), OUTCOME_OK, 1);
	ok(store_made_again(s, c, &n, &err));
	assert_int_equal(n, 0);
	end(s, begin(s, c, session, "b/f=a#10", "alpha"), OUTCOME_FAILED, NAN);
	end(s, begin(s, c, session, "b/f=a#10", "alpha"), OUTCOME_OK, 1);
	end(s, begin(s, c, session, "b/f=a#10", "alpha"), OUTCOME_STOPPED, NAN);
	begin(s, c, session, "b/f=a#10", "alpha");
	ok(store_made_again(s, c, &n, &err));
	assert_int_equal(n, 1);
	ok(store_status(s, c, &rows, &n, &err));
	assert_int_equal(rows[0].settlings, 1);
	assert_int_equal(rows[1].settlings, 2);
	assert_int_equal(rows[1].attempts, 4);
	assert_int_equal(rows[1].outcome, OUTCOME_OK);
	assert_false(rows[1].ended);
	assert_null(rows[1].reason);
	assert_int_equal(rows[2].settlings, 0);
	run_status_free(rows, n);
	store_close(s);
}

static int64_t campaign_of(struct store *s, const char *recipe)
{
	char text[8], experiment[] = "x";
	struct campaign c = { .recipe = text, .experiment = experiment };
	struct error err = ERROR_INIT;

	snprintf(text, sizeof(text), "%s", recipe);
	ok(store_campaign_new(s, &c, &err));
	free(c.uuid);
	return c.id;
}

static int64_t found(struct store *s, const char *recipe, bool with_results)
{
	struct error err = ERROR_INIT;
	struct campaign c;
	int64_t id;

	if (store_campaign_by_recipe(s, recipe, with_results, &c, &err) != 0)
		return 0;
	id = c.id;
	assert_string_equal(c.recipe, recipe);
	campaign_release(&c);
	return id;
}

static void a_campaign_is_found_by_what_it_measured(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t old = plan(s, campaign_of(s, "a"), items, N_ITEMS);
	int64_t other = campaign_of(s, "b");
	int64_t empty = plan(s, campaign_of(s, "a"), items, N_ITEMS);
	int64_t session = new_session(s, old);
	struct campaign_row *rows = NULL;
	struct error err = ERROR_INIT;
	size_t n = 0;

	assert_int_equal(found(s, "a", false), empty);
	assert_int_equal(found(s, "a", true), empty);
	end(s, begin(s, old, session, "b/f=a#1", "alpha"), OUTCOME_LOST, 1);
	assert_int_equal(found(s, "a", true), empty);
	end(s, begin(s, old, session, "b/f=a#1", "alpha"), OUTCOME_FAILED, 1);
	end(s, begin(s, old, session, "b/f=a#1", "alpha"), OUTCOME_OK, 1);
	assert_int_equal(found(s, "a", true), old);
	assert_int_equal(found(s, "a", false), empty);
	assert_int_equal(found(s, "b", true), other);
	assert_int_equal(found(s, "c", true), 0);
	ok(store_campaigns(s, &rows, &n, &err));
	assert_int_equal(n, 3);
	assert_int_equal(rows[0].campaign.id, old);
	assert_string_equal(rows[0].campaign.commit, "c0ffee");
	assert_int_equal(rows[0].n_settled, 1);
	assert_int_equal(rows[2].campaign.id, empty);
	assert_null(rows[2].campaign.commit);
	assert_int_equal(rows[2].n_settled, 0);
	campaign_rows_free(rows, n);
	store_close(s);
}

static void the_commit_is_of_the_session_that_made_runs(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	struct error err = ERROR_INIT;
	struct campaign found;
	int64_t first, idle;

	ok(store_session_new(s, c, "aaaa", "1.0", NULL, &first, &err));
	ok(store_campaign_latest(s, &found, &err));
	assert_string_equal(found.commit, "aaaa");
	campaign_release(&found);
	end(s, begin(s, c, first, "b/f=a#1", "alpha"), OUTCOME_OK, 1);
	ok(store_session_new(s, c, "bbbb", "2.0", NULL, &idle, &err));
	ok(store_campaign_latest(s, &found, &err));
	assert_string_equal(found.commit, "aaaa");
	assert_string_equal(found.version, "1.0");
	campaign_release(&found);
	end(s, begin(s, c, idle, "b/f=a#2", "alpha"), OUTCOME_OK, 1);
	ok(store_campaign_latest(s, &found, &err));
	assert_string_equal(found.commit, "bbbb");
	campaign_release(&found);
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
		TEST(a_run_made_again_is_counted_and_keeps_its_settled_outcome),
		TEST(the_commit_is_of_the_session_that_made_runs),
		TEST(a_campaign_is_found_by_what_it_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
