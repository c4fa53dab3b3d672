#include "tests/unit/store_fixture.h"

#include "orchestrate/store/store_place.h"

static const struct plan_item items[] = {
	{ "a", 1, "alpha" }, { "b", 1, "beta" }, { "a", 2, "alpha" },
};
#define N_ITEMS (sizeof(items) / sizeof(items[0]))

static void expect_left(struct store *s, const char *host, const char *wanted)
{
	struct left_place *places = NULL;
	struct error err = ERROR_INIT;
	char text[200] = "";
	size_t n = 0;

	ok(store_places_left(s, host, &places, &n, &err));
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(strlen(places[i].uuid), 32);
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%d:%s:%d ", (int)places[i].campaign, places[i].host,
			 (int)places[i].attempt);
	}
	left_places_free(places, n);
	assert_string_equal(text, wanted);
}

static void sweep_all(struct store *s, const char *host)
{
	struct left_place *places = NULL;
	struct error err = ERROR_INIT;
	size_t n = 0;

	ok(store_places_left(s, host, &places, &n, &err));
	for (size_t i = 0; i < n; i++)
		ok(store_place_swept(s, &places[i], &err));
	left_places_free(places, n);
}

static void a_place_is_left_from_an_attempts_end_until_it_is_swept(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t session = new_session(s, c), a;

	expect_left(s, NULL, "");
	a = begin(s, c, session, "b/f=a#1", "alpha");
	/* open: collected first */
	expect_left(s, NULL, "");
	end(s, a, OUTCOME_OK, 1);
	end(s, begin(s, c, session, "b/f=b#1", "beta"), OUTCOME_LOST, NAN);
	expect_left(s, NULL, "1:alpha:1 1:beta:2 ");
	expect_left(s, "beta", "1:beta:2 ");
	sweep_all(s, "alpha");
	expect_left(s, NULL, "1:beta:2 ");
	/* a further attempt makes it anew */
	end(s, begin(s, c, session, "b/f=a#2", "alpha"), OUTCOME_OK, 1);
	expect_left(s, "alpha", "1:alpha:3 ");
	sweep_all(s, NULL);
	expect_left(s, NULL, "");
	store_close(s);
	assert_int_equal(outside(t->db, "DELETE FROM swept", NULL),
			 SQLITE_CONSTRAINT);
}

static void campaigns_have_places_of_their_own(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS), d;

	end(s, begin(s, c, new_session(s, c), "b/f=a#1", "alpha"), OUTCOME_OK,
	    1);
	d = plan(s, new_campaign(s), items, N_ITEMS);
	begin(s, d, new_session(s, d), "b/f=a#1", "alpha");
	expect_left(s, NULL, "1:alpha:1 ");
	sweep_all(s, NULL);
	expect_left(s, NULL, "");
	store_close(s);
}

/* As it was before this was recorded. */
static void what_ended_in_an_older_format_is_taken_for_swept(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), items, N_ITEMS);
	int64_t session = new_session(s, c), open;
	struct error err = ERROR_INIT;
	struct attempt_end lost = { .outcome = OUTCOME_LOST, .reason = "r",
				    .exit_status = -1, .duration = NAN };

	end(s, begin(s, c, session, "b/f=b#1", "beta"), OUTCOME_OK, 1);
	end(s, begin(s, c, session, "b/f=a#1", "alpha"), OUTCOME_OK, 1);
	open = begin(s, c, session, "b/f=a#2", "alpha");
	store_close(s);
	assert_int_equal(outside(t->db, "DROP TABLE swept;"
				 "PRAGMA user_version = 2", NULL), SQLITE_OK);
	s = open_store(t->db, STORE_WRITE);
	expect_left(s, NULL, "");
	ok(store_attempt_end(s, open, &lost, &err));
	expect_left(s, NULL, "1:alpha:3 ");
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
		TEST(a_place_is_left_from_an_attempts_end_until_it_is_swept),
		TEST(campaigns_have_places_of_their_own),
		TEST(what_ended_in_an_older_format_is_taken_for_swept),
	};

	cmocka_set_test_filter(getenv("TEST"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
