#include "orchestrate/store/store_place.h"
#include "tests/unit/store_fixture.h"

static const struct plan_item three[] = {
	{ "a", 1, "alpha" }, { "b", 1, "alpha" }, { "a", 2, "beta" },
};

static void a_campaign_comes_back_as_recorded(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	char recipe[] = "abc", experiment[] = "disks";
	struct campaign c = { .recipe = recipe, .experiment = experiment,
			      .seed = UINT64_MAX };
	struct campaign got;
	struct error err = ERROR_INIT;
	int64_t session;

	assert_int_equal(store_campaign_latest(s, &got, &err), 1);
	ok(store_campaign_new(s, &c, &err));
	assert_int_equal(c.id, 1);
	assert_int_equal(strlen(c.uuid), 32);
	assert_true(c.started > 0);
	ok(store_session_new(s, c.id, NULL, "0.9", NULL, &session, &err));
	ok(store_campaign_latest(s, &got, &err));
	assert_null(got.commit);
	assert_string_equal(got.version, "0.9");
	campaign_release(&got);
	ok(store_session_new(s, c.id, "c0ffee", "1.0", NULL, &session, &err));
	ok(store_campaign_latest(s, &got, &err));
	assert_int_equal(got.id, 1);
	assert_string_equal(got.uuid, c.uuid);
	assert_string_equal(got.recipe, "abc");
	assert_string_equal(got.experiment, "disks");
	assert_string_equal(got.commit, "c0ffee");
	assert_string_equal(got.version, "1.0");
	assert_true(got.seed == UINT64_MAX);
	assert_true(got.started == c.started);
	campaign_release(&got);
	free(c.uuid);
	store_close(s);
}

static void a_campaign_is_found_by_number_and_by_prefix(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	struct campaign one, got;
	struct error err = ERROR_INIT;
	char prefix[9];

	new_campaign(s);
	ok(store_campaign_latest(s, &one, &err));
	new_campaign(s);
	ok(store_campaign_find(s, "1", &got, &err));
	assert_string_equal(got.uuid, one.uuid);
	campaign_release(&got);
	memcpy(prefix, one.uuid, 8);
	prefix[8] = '\0';
	ok(store_campaign_find(s, prefix, &got, &err));
	assert_int_equal(got.id, 1);
	campaign_release(&got);
	refused(store_campaign_find(s, "xyz", &got, &err), ERROR_USAGE,
		"no campaign \"xyz\"");
	refused(store_campaign_find(s, "", &got, &err), ERROR_USAGE,
		"no campaign \"\"");
	campaign_release(&one);
	store_close(s);
}

static void a_plan_adds_only_runs_that_are_not_there(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = new_campaign(s);
	struct plan_item again[] = {
		{ "b", 1, "elsewhere" }, { "a", 1, "alpha" }, { "c", 1, "alpha" },
	};

	plan(s, c, three, 3);
	plan(s, c, again, 3);
	store_close(s);
	expect(t->db, "SELECT count(*) FROM run", "4");
	expect(t->db, "SELECT host || position FROM run WHERE key = 'b/f=b#1'",
	       "alpha2");
	expect(t->db, "SELECT group_concat(key) FROM "
	       "(SELECT key FROM treatment ORDER BY key)", "f=a,f=b,f=c");
	expect(t->db, "SELECT group_concat(factor || level, ' ') FROM "
	       "(SELECT * FROM treatment_level ORDER BY level)", "fa fb fc");
}

static void an_attempt_is_open_until_it_ends(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), three, 3);
	int64_t session = new_session(s, c), id, other;
	struct open_attempt *open = NULL;
	struct error err = ERROR_INIT;
	char token[33];
	size_t n = 9;

	ok(store_attempt_begin(s, c, session, "b/f=a#1", "alpha", token, &id,
			       &err));
	assert_int_equal(strspn(token, "0123456789abcdef"), 32);
	other = begin(s, c, session, "b/f=b#1", "alpha");
	end(s, other, OUTCOME_OK, 1);
	store_close(s);

	s = open_store(t->db, STORE_WRITE);
	ok(store_attempts_open(s, c, &open, &n, &err));
	assert_int_equal(n, 1);
	assert_int_equal(open[0].id, id);
	assert_string_equal(open[0].run_key, "b/f=a#1");
	assert_string_equal(open[0].host, "alpha");
	assert_string_equal(open[0].token, token);
	open_attempts_free(open, n);
	end(s, id, OUTCOME_LOST, NAN);
	ok(store_attempts_open(s, c, &open, &n, &err));
	assert_int_equal(n, 0);
	open_attempts_free(open, n);
	store_close(s);
}

static void an_attempt_ends_once(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), three, 3);
	int64_t id = begin(s, c, new_session(s, c), "b/f=a#1", "alpha");
	struct attempt_end e = { .outcome = OUTCOME_OK };
	struct error err = ERROR_INIT;

	end(s, id, OUTCOME_OK, 1);
	refused(store_attempt_end(s, id, &e, &err), ERROR_USAGE,
		"attempt 1 has ended already");
	refused(store_attempt_end(s, 99, &e, &err), ERROR_USAGE,
		"no attempt 99");
	store_close(s);
	expect(t->db, "SELECT count(*) FROM outcome", "1");
}

static void an_attempt_of_an_unplanned_run_is_refused(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), three, 3), id;
	struct error err = ERROR_INIT;
	char token[33];

	refused(store_attempt_begin(s, c, new_session(s, c), "b/f=z#1",
				    "alpha", token, &id, &err),
		ERROR_USAGE, "campaign 1 has no run b/f=z#1");
	store_close(s);
}

static void a_number_that_is_not_finite_records_nothing(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), three, 3);
	int64_t id = begin(s, c, new_session(s, c), "b/f=a#1", "alpha");
	struct observation o[] = {
		{ "time", 1, "s", BETTER_LOWER },
		{ "rate", INFINITY, "1/s", BETTER_HIGHER },
	};
	struct attempt_end e = { .observations = o, .n_observations = 2 };
	struct error err = ERROR_INIT;

	refused(store_attempt_end(s, id, &e, &err), ERROR_USAGE,
		"rate of attempt 1 is not a finite number");
	expect(t->db, "SELECT (SELECT count(*) FROM outcome) +"
	       " (SELECT count(*) FROM output) +"
	       " (SELECT count(*) FROM observation)", "0");
	o[1].value = 2;
	ok(store_attempt_end(s, id, &e, &err));
	store_close(s);
	expect(t->db, "SELECT count(*) FROM observation", "2");
}

static void what_is_unknown_is_null(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), three, 3);
	int64_t id = begin(s, c, new_session(s, c), "b/f=a#1", "alpha");
	struct attempt_end e = { .outcome = OUTCOME_LOST, .exit_status = -1,
				 .duration = NAN };
	struct error err = ERROR_INIT;

	ok(store_attempt_end(s, id, &e, &err));
	store_close(s);
	expect(t->db, "SELECT reason IS NULL AND exit_status IS NULL AND"
	       " started IS NULL AND duration IS NULL FROM outcome", "1");
}

static void state_to_put_back_comes_newest_first(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = new_campaign(s);
	char a[] = "alpha", b[] = "beta", none[] = "";
	char saved[] = "line 1\nit's \xff", script[] = "echo \"$saved\"\n";
	char target[] = "{\"ssh\":\"x\"}", f[] = "f", l[] = "l";
	struct saved_state one = { .campaign = c, .host = a, .target = target,
				   .factor = f, .level = l, .saved = saved,
				   .revert = script, .timeout = 2.5 };
	struct saved_state two = one, *got = NULL;
	struct error err = ERROR_INIT;
	size_t n = 0;

	two.host = b;
	two.saved = none;
	ok(store_state_save(s, &one, &err));
	ok(store_state_save(s, &two, &err));
	store_close(s);
	s = open_store(t->db, STORE_WRITE);
	ok(store_state_pending(s, NULL, &got, &n, &err));
	assert_int_equal(n, 2);
	assert_int_equal(got[0].id, two.id);
	assert_string_equal(got[0].saved, "");
	assert_int_equal(got[1].id, one.id);
	assert_int_equal(got[1].campaign, c);
	assert_string_equal(got[1].host, "alpha");
	assert_string_equal(got[1].target, target);
	assert_string_equal(got[1].factor, "f");
	assert_string_equal(got[1].level, "l");
	assert_string_equal(got[1].saved, saved);
	assert_string_equal(got[1].revert, script);
	assert_true(got[1].timeout == 2.5);
	saved_states_free(got, n);

	ok(store_state_reverted(s, two.id, &err));
	ok(store_state_reverted(s, two.id, &err));
	ok(store_state_pending(s, "beta", &got, &n, &err));
	assert_int_equal(n, 0);
	saved_states_free(got, n);
	ok(store_state_pending(s, "alpha", &got, &n, &err));
	assert_int_equal(n, 1);
	saved_states_free(got, n);
	refused(store_state_reverted(s, 99, &err), ERROR_ENVIRONMENT,
		"FOREIGN KEY");
	store_close(s);
}

static void records_cannot_be_changed_or_deleted(void **state)
{
	static const struct {
		const char *table, *column;
	} tables[] = {
		{ "campaign", "recipe" }, { "session", "version" },
		{ "treatment", "key" }, { "treatment_level", "level" },
		{ "run", "host" }, { "attempt", "host" },
		{ "outcome", "reason" }, { "response", "uom" },
		{ "observation", "value" }, { "content", "size" },
		{ "output", "truncated" }, { "evidence", "phase" },
		{ "host_fact", "value" }, { "saved_state", "saved" },
		{ "reverted", "recorded" }, { "swept", "recorded" },
	};
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	int64_t c = plan(s, new_campaign(s), three, 3);
	int64_t session = new_session(s, c);
	int64_t id = begin(s, c, session, "b/f=a#1", "alpha");
	char h[] = "alpha", e[] = "";
	struct saved_state st = { .campaign = c, .host = h, .target = e,
				  .factor = e, .level = e, .saved = e,
				  .revert = e, .timeout = 1 };
	struct error err = ERROR_INIT;

	end(s, id, OUTCOME_OK, 1);
	ok(store_evidence(s, id, "alpha", "f", "a", "apply", 0, "x", 1, &err));
	ok(store_host_fact(s, session, "alpha", "cpu", "z80", &err));
	ok(store_state_save(s, &st, &err));
	ok(store_state_reverted(s, st.id, &err));
	ok(store_place_swept(s, &(struct left_place){ .campaign = c, .host = h,
						      .attempt = id }, &err));
	store_close(s);
	expect(t->db, "SELECT count(*) FROM sqlite_schema WHERE type = 'table'",
	       "16");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		char sql[200], *message = NULL;

		snprintf(sql, sizeof(sql), "UPDATE %s SET %s = 0",
			 tables[i].table, tables[i].column);
		assert_int_not_equal(outside(t->db, sql, &message), SQLITE_OK);
		assert_string_equal(message, "append-only");
		free(message);
		snprintf(sql, sizeof(sql), "DELETE FROM %s", tables[i].table);
		assert_int_not_equal(outside(t->db, sql, &message), SQLITE_OK);
		assert_string_equal(message, "append-only");
		free(message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
		TEST(a_campaign_comes_back_as_recorded),
		TEST(a_campaign_is_found_by_number_and_by_prefix),
		TEST(a_plan_adds_only_runs_that_are_not_there),
		TEST(an_attempt_is_open_until_it_ends),
		TEST(an_attempt_ends_once),
		TEST(an_attempt_of_an_unplanned_run_is_refused),
		TEST(a_number_that_is_not_finite_records_nothing),
		TEST(what_is_unknown_is_null),
		TEST(state_to_put_back_comes_newest_first),
		TEST(records_cannot_be_changed_or_deleted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
