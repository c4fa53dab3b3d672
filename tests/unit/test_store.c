#include "tests/unit/store_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/hash.h"
#include "base/path.h"
#include "orchestrate/store/db.h"
#include "orchestrate/store/schema.h"

#define NOBODY 65534

static void write_file(const char *path, const void *data, size_t n)
{
	struct error err = ERROR_INIT;
	char *dir = path_dir(path);

	if (path_make_dirs(dir, &err) < 0 || path_write(path, data, n, &err) < 0)
		fail_msg("%s", err.text);
	free(dir);
}

static void no_store_yet_says_what_to_do(void **state)
{
	struct scratch *t = *state;
	struct error err = ERROR_INIT;
	struct store *s = NULL;
	char *under_file = mem_printf("%s/f/x.db", t->dir);
	char *file = mem_printf("%s/f", t->dir);

	refused(store_open(&s, t->db, STORE_READ, &err), ERROR_USAGE,
		"no results yet (");
	assert_non_null(strstr(err.text, "run `assay run` first"));
	write_file(t->db, "", 0);
	refused(store_open(&s, t->db, STORE_READ, &err), ERROR_USAGE,
		"no results yet (");
	write_file(file, "", 0);
	refused(store_open(&s, under_file, STORE_READ, &err), ERROR_USAGE,
		"no results yet (");
	refused(store_open(&s, under_file, STORE_WRITE, &err),
		ERROR_ENVIRONMENT, "not a directory");
	assert_null(s);
	free(under_file);
	free(file);
}

/* What is left when the first `assay run` dies between WAL and schema. */
static void a_store_without_tables_is_as_none(void **state)
{
	struct scratch *t = *state;
	struct error err = ERROR_INIT;
	struct store *s = NULL;

	write_file(t->db, "", 0);
	assert_int_equal(outside(t->db, "PRAGMA journal_mode = WAL", NULL),
			 SQLITE_OK);
	refused(store_open(&s, t->db, STORE_READ, &err), ERROR_USAGE,
		"no results yet (");
	s = open_store(t->db, STORE_WRITE);
	assert_int_equal(new_campaign(s), 1);
	store_close(s);
}

static void a_new_store_has_its_marks(void **state)
{
	struct scratch *t = *state;

	store_close(open_store(t->db, STORE_WRITE));
	expect(t->db, "PRAGMA application_id", "1634956153");
	expect(t->db, "PRAGMA user_version", "3");
	expect(t->db, "PRAGMA journal_mode", "wal");
	expect(t->db, "PRAGMA integrity_check", "ok");
	store_close(open_store(t->db, STORE_WRITE));
	store_close(open_store(t->db, STORE_READ));
}

static void a_closed_store_is_one_file(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	char *dir = path_dir(t->db);
	char command[200];

	assert_string_equal(store_path(s), t->db);
	new_campaign(s);
	store_close(s);
	store_close(NULL);
	snprintf(command, sizeof(command), "[ \"$(ls -A %s)\" = x.db ]", dir);
	assert_int_equal(system(command), 0);
	free(dir);
}

static void a_name_that_sqlite_would_interpret_is_a_file(void **state)
{
	struct scratch *t = *state;
	char *memory = mem_printf("%s/:memory:", t->dir);
	char *uri = mem_printf("%s/file:a?mode=memory#%%41", t->dir);
	char cwd[4096];

	assert_non_null(getcwd(cwd, sizeof(cwd)));
	assert_int_equal(chdir(t->dir), 0);
	store_close(open_store(":memory:", STORE_WRITE));
	store_close(open_store("file:a?mode=memory#%41", STORE_WRITE));
	assert_true(path_exists(memory));
	assert_true(path_exists(uri));
	assert_int_equal(chdir(cwd), 0);
	free(memory);
	free(uri);
}

static void a_newer_format_is_refused(void **state)
{
	struct scratch *t = *state;
	struct error err = ERROR_INIT;
	struct store *s = NULL;

	store_close(open_store(t->db, STORE_WRITE));
	assert_int_equal(outside(t->db, "PRAGMA user_version = 4", NULL),
			 SQLITE_OK);
	refused(store_open(&s, t->db, STORE_READ, &err), ERROR_ENVIRONMENT,
		"x.db: made by a newer assay (format 4, this one knows 3): "
		"use that version");
	refused(store_open(&s, t->db, STORE_WRITE, &err), ERROR_ENVIRONMENT,
		"format 4");
	expect(t->db, "PRAGMA user_version", "4");
}

static void files_of_others_are_refused_and_left_alone(void **state)
{
	struct scratch *t = *state;
	struct error err = ERROR_INIT;
	struct store *s = NULL;
	char text[5000];
	char *before, *after;

	memset(text, 'x', sizeof(text));
	write_file(t->db, text, sizeof(text));
	refused(store_open(&s, t->db, STORE_READ, &err), ERROR_ENVIRONMENT,
		"x.db: not an SQLite file");
	refused(store_open(&s, t->db, STORE_WRITE, &err), ERROR_ENVIRONMENT,
		"x.db: not an SQLite file");
	write_file(t->db, "short", 5);
	refused(store_open(&s, t->db, STORE_WRITE, &err), ERROR_ENVIRONMENT,
		"x.db: not an SQLite file");
	unlink(t->db);
	assert_int_equal(outside(t->db, "CREATE TABLE t (a); "
				 "INSERT INTO t VALUES (1)", NULL), SQLITE_OK);
	before = ask(t->db, "PRAGMA journal_mode");
	refused(store_open(&s, t->db, STORE_READ, &err), ERROR_ENVIRONMENT,
		"x.db: an SQLite file of another program");
	refused(store_open(&s, t->db, STORE_WRITE, &err), ERROR_ENVIRONMENT,
		"x.db: an SQLite file of another program");
	after = ask(t->db, "PRAGMA journal_mode");
	assert_string_equal(before, after);
	free(before);
	free(after);
	unlink(t->db);
	assert_int_equal(mkdir(t->db, 0755), 0);
	refused(store_open(&s, t->db, STORE_READ, &err), ERROR_ENVIRONMENT,
		"x.db: not a file, so no results");
	refused(store_open(&s, t->db, STORE_WRITE, &err), ERROR_ENVIRONMENT,
		"x.db: not a file, so no results");
}

static void a_second_writer_is_told_who_holds_it(void **state)
{
	struct scratch *t = *state;
	struct store *one = open_store(t->db, STORE_WRITE), *two = NULL;
	struct error err = ERROR_INIT;
	char holder[300], host[256] = "";
	char *other = mem_printf("%s/link.db", t->dir);

	gethostname(host, sizeof(host) - 1);
	snprintf(holder, sizeof(holder),
		 "x.db is in use by another assay run (pid %ld on %s since 2",
		 (long)getpid(), host);
	refused(store_open(&two, t->db, STORE_WRITE, &err), ERROR_ENVIRONMENT,
		holder);
	assert_int_equal(symlink(t->db, other), 0);
	refused(store_open(&two, other, STORE_WRITE, &err), ERROR_ENVIRONMENT,
		"link.db is in use by another assay run");
	store_close(one);
	store_close(open_store(other, STORE_WRITE));
	free(other);
}

static void the_lock_goes_with_a_killed_writer(void **state)
{
	struct scratch *t = *state;
	struct error err = ERROR_INIT;
	struct store *s = NULL;
	int ready[2], status;
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		alarm(60); /* does not outlive a test that fails */
		if (store_open(&s, t->db, STORE_WRITE, &err) == 0)
			(void)!write(ready[1], "x", 1);
		pause();
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	refused(store_open(&s, t->db, STORE_WRITE, &err), ERROR_ENVIRONMENT,
		"in use by another assay run (pid ");
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	s = open_store(t->db, STORE_WRITE);
	assert_int_equal(new_campaign(s), 1);
	store_close(s);
}

static void readers_see_one_state_beside_a_writer(void **state)
{
	struct scratch *t = *state;
	struct store *w = open_store(t->db, STORE_WRITE), *r;
	struct error err = ERROR_INIT;
	struct campaign c;
	sqlite3 *other = NULL;

	r = open_store(t->db, STORE_READ);
	new_campaign(w);
	assert_int_equal(store_campaign_latest(r, &c, &err), 1);
	store_close(r);
	/* also while someone is in the middle of a transaction */
	assert_int_equal(sqlite3_open(t->db, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE; INSERT INTO"
				      " treatment (key) VALUES ('k')", NULL,
				      NULL, NULL), SQLITE_OK);
	r = open_store(t->db, STORE_READ);
	assert_int_equal(store_campaign_latest(r, &c, &err), 0);
	campaign_release(&c);
	store_close(r);
	sqlite3_close(other);
	store_close(w);
}

static void a_reader_leaves_one_file_behind(void **state)
{
	struct scratch *t = *state;
	char *wal = mem_printf("%s-wal", t->db);
	char *shm = mem_printf("%s-shm", t->db);
	struct store *writer, *reader;
	pid_t child;
	int status;

	store_close(open_store(t->db, STORE_WRITE));
	store_close(open_store(t->db, STORE_READ));
	assert_int_equal(access(wal, F_OK), -1);
	assert_int_equal(access(shm, F_OK), -1);
	/* after a writer that was killed, too, and with its data */
	child = fork();
	if (!child) {
		new_campaign(open_store(t->db, STORE_WRITE));
		kill(getpid(), SIGKILL);
	}
	waitpid(child, &status, 0);
	assert_int_equal(access(wal, F_OK), 0);
	store_close(open_store(t->db, STORE_READ));
	assert_int_equal(access(wal, F_OK), -1);
	assert_int_equal(access(shm, F_OK), -1);
	expect(t->db, "SELECT count(*) FROM campaign", "1");
	/* but not from under a writer */
	writer = open_store(t->db, STORE_WRITE);
	reader = open_store(t->db, STORE_READ);
	new_campaign(writer);
	store_close(reader);
	assert_int_equal(access(wal, F_OK), 0);
	new_campaign(writer);
	store_close(writer);
	expect(t->db, "SELECT count(*) FROM campaign", "3");
	assert_int_equal(access(wal, F_OK), -1);
	free(wal);
	free(shm);
}

static void a_reader_cannot_write(void **state)
{
	struct scratch *t = *state;
	struct error err = ERROR_INIT;
	struct store *s;
	int64_t id;

	store_close(open_store(t->db, STORE_WRITE));
	s = open_store(t->db, STORE_READ);
	refused(store_session_new(s, 1, NULL, "1", NULL, &id, &err),
		ERROR_ENVIRONMENT, "x.db: not writable");
	store_close(s);
}

/* Root may write anywhere: permissions are tried as nobody. */
static int as_user(void (*body)(struct scratch *t), struct scratch *t)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (getuid() == 0 && (setgid(NOBODY) || setuid(NOBODY)))
			_exit(2);
		body(t);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void expect_exit(const struct error *err, int rc, const char *part)
{
	if (rc == 0 || !strstr(err->text, part)) {
		fprintf(stderr, "# %d %s\n", rc, err->text);
		_exit(1);
	}
}

static void try_read_only_directory(struct scratch *t)
{
	struct error err = ERROR_INIT;
	struct store *s = NULL;
	struct campaign c;
	int rc;

	rc = store_open(&s, t->db, STORE_WRITE, &err);
	expect_exit(&err, rc, "cannot write");
	if (store_open(&s, t->db, STORE_READ, &err) < 0 ||
	    store_campaign_latest(s, &c, &err) != 0) {
		fprintf(stderr, "# %s\n", err.text);
		_exit(3);
	}
	campaign_release(&c);
	store_close(s);
}

static void a_read_only_directory_can_still_be_read(void **state)
{
	struct scratch *t = *state;
	struct store *s = open_store(t->db, STORE_WRITE);
	char *dir = path_dir(t->db);

	new_campaign(s);
	store_close(s);
	chmod(t->dir, 0755);
	chmod(t->db, 0444);
	chmod(dir, 0555);
	assert_int_equal(as_user(try_read_only_directory, t), 0);
	chmod(dir, 0755);
	free(dir);
}

static void try_unreadable(struct scratch *t)
{
	struct error err = ERROR_INIT;
	struct store *s = NULL;

	expect_exit(&err, store_open(&s, t->db, STORE_READ, &err),
		    "Permission denied");
	expect_exit(&err, store_open(&s, t->db, STORE_WRITE, &err),
		    "Permission denied");
}

static void try_read_only_file(struct scratch *t)
{
	struct error err = ERROR_INIT;
	struct store *s = NULL;

	expect_exit(&err, store_open(&s, t->db, STORE_WRITE, &err),
		    "x.db: not writable");
}

static void a_file_without_permission_is_named(void **state)
{
	struct scratch *t = *state;
	char *dir = path_dir(t->db);

	store_close(open_store(t->db, STORE_WRITE));
	chmod(t->dir, 0755);
	chmod(dir, 0777);
	chmod(t->db, 0444);
	assert_int_equal(as_user(try_read_only_file, t), 0);
	chmod(t->db, 0000);
	assert_int_equal(as_user(try_unreadable, t), 0);
	free(dir);
}

static void steps_bring_an_older_format_up_to_date(void **state)
{
	struct scratch *t = *state;
	const char *const tables[] = { "one", NULL };
	const struct schema_step steps[] = {
		{ "CREATE TABLE one (a); INSERT INTO one VALUES (1);", NULL },
		{ "ALTER TABLE one ADD COLUMN b DEFAULT 2;", tables },
		{ "CREATE TABLE three (c); SELECT nonsense;", NULL },
	};
	struct error err = ERROR_INIT;
	struct db db;
	size_t format;

	write_file(t->db, "", 0);
	ok(db_open(&db, t->db, DB_WRITE, &err));
	assert_int_equal(schema_identify(&db, 1, &format, &err), 1);
	ok(schema_migrate(&db, steps, 1, &err));
	ok(schema_identify(&db, 1, &format, &err));
	assert_int_equal(format, 1);
	ok(schema_migrate(&db, steps, 2, &err));
	/* a step that fails leaves nothing of itself */
	refused(schema_migrate(&db, steps, 3, &err), ERROR_ENVIRONMENT,
		"nonsense");
	db_release(&db);
	expect(t->db, "SELECT a || b FROM one", "12");
	expect(t->db, "PRAGMA user_version", "2");
	expect(t->db, "SELECT group_concat(name) FROM sqlite_schema",
	       "one,one_no_update,one_no_delete");
}

static void more_than_one_statement_is_refused(void **state)
{
	struct scratch *t = *state;
	struct error err = ERROR_INIT;
	struct db db;

	write_file(t->db, "", 0);
	ok(db_open(&db, t->db, DB_WRITE, &err));
	ok(db_run(&db, "CREATE TABLE t (a); \n", BIND_NONE, &err));
	refused(db_run(&db, "SELECT 1; DROP TABLE t", BIND_NONE, &err),
		ERROR_ENVIRONMENT, "more or less than one statement");
	refused(db_run(&db, "  ", BIND_NONE, &err), ERROR_ENVIRONMENT,
		"more or less than one statement");
	db_release(&db);
	expect(t->db, "SELECT count(*) FROM t", "0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
		TEST(no_store_yet_says_what_to_do),
		TEST(a_store_without_tables_is_as_none),
		TEST(a_new_store_has_its_marks),
		TEST(a_closed_store_is_one_file),
		TEST(a_name_that_sqlite_would_interpret_is_a_file),
		TEST(a_newer_format_is_refused),
		TEST(files_of_others_are_refused_and_left_alone),
		TEST(a_second_writer_is_told_who_holds_it),
		TEST(the_lock_goes_with_a_killed_writer),
		TEST(readers_see_one_state_beside_a_writer),
		TEST(a_reader_leaves_one_file_behind),
		TEST(a_reader_cannot_write),
		TEST(a_read_only_directory_can_still_be_read),
		TEST(a_file_without_permission_is_named),
		TEST(steps_bring_an_older_format_up_to_date),
		TEST(more_than_one_statement_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
