#include "tests/unit/store_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/path.h"

static const struct plan_item three[] = {
	{ "a", 1, "alpha" }, { "b", 1, "alpha" }, { "a", 2, "beta" },
};

/* A disk that fails at the n-th write, sync or truncation from now. */
static struct {
	sqlite3_vfs vfs;
	sqlite3_vfs *real_vfs;
	const sqlite3_io_methods *real;
	struct disk_methods {
		const sqlite3_io_methods *real;
		sqlite3_io_methods mine;
	} tables[8]; /* database and journal have their own */
	int countdown;  /* 0 = healthy */
	bool lasting;   /* every call after that fails too */
	int code;
	bool hit;
} disk;

static bool disk_fails(void)
{
	if (!disk.countdown)
		return false;
	if (disk.countdown > 1) {
		disk.countdown--;
		return false;
	}
	disk.hit = true;
	if (!disk.lasting)
		disk.countdown = 0;
	errno = EIO;
	return true;
}

static int disk_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 at)
{
	return disk_fails() ? disk.code : disk.real->xWrite(f, p, n, at);
}

static int disk_sync(sqlite3_file *f, int flags)
{
	return disk_fails() ? SQLITE_IOERR_FSYNC : disk.real->xSync(f, flags);
}

static int disk_truncate(sqlite3_file *f, sqlite3_int64 n)
{
	return disk_fails() ? SQLITE_IOERR_TRUNCATE :
			      disk.real->xTruncate(f, n);
}

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f,
		     int flags, int *out)
{
	int rc = disk.real_vfs->xOpen(vfs, name, f, flags, out);

	struct disk_methods *m = disk.tables;

	if (rc != SQLITE_OK || !f->pMethods)
		return rc;
	while (m->real && m->real != f->pMethods)
		m++;
	disk.real = m->real = f->pMethods;
	m->mine = *f->pMethods;
	m->mine.xWrite = disk_write;
	m->mine.xSync = disk_sync;
	m->mine.xTruncate = disk_truncate;
	f->pMethods = &m->mine;
	return rc;
}

static int disk_install(void **state)
{
	disk.real_vfs = sqlite3_vfs_find(NULL);
	disk.vfs = *disk.real_vfs;
	disk.vfs.zName = "faulty";
	disk.vfs.xOpen = disk_open;
	sqlite3_vfs_register(&disk.vfs, 1);
	return scratch_make(state);
}

static int disk_remove(void **state)
{
	disk.countdown = 0;
	sqlite3_vfs_unregister(&disk.vfs);
	sqlite3_vfs_register(disk.real_vfs, 1);
	return scratch_remove(state);
}

/* Everything a run records. Returns -1 at the first fault. */
static int record_run(struct store *s, int64_t campaign, int64_t session,
		      const char *key, size_t size, struct error *err)
{
	struct observation o[] = { { "time", 1, "s", BETTER_LOWER },
				   { "time", 2, "s", BETTER_LOWER },
				   { "rate", 3, "1/s", BETTER_HIGHER } };
	struct attempt_end e = { .observations = o, .n_observations = 3,
				 .duration = 1 };
	char *text = mem_alloc(size + 65);
	char token[33];
	int64_t id;
	int rc = -1;

	/* what does not compress */
	for (size_t i = 0; i < size; i += 64)
		hash_random_hex(text + i, 32);
	e.out = (struct output){ .head = text, .n_head = size };
	if (store_attempt_begin(s, campaign, session, key, "alpha", token, &id,
				err) == 0 &&
	    store_evidence(s, id, "alpha", "f", "a", "apply", 0, "done", 4,
			   err) == 0)
		rc = store_attempt_end(s, id, &e, err);
	free(text);
	return rc;
}

/* No half of anything: every attempt that ended has all of its rows. */
static void expect_whole(const char *path)
{
	expect(path, "PRAGMA integrity_check", "ok");
	expect(path, "SELECT count(*) FROM pragma_foreign_key_check", "0");
	expect(path, "SELECT count(*) FROM outcome WHERE attempt NOT IN"
	       " (SELECT attempt FROM output GROUP BY attempt"
	       "  HAVING count(*) = 2) OR attempt NOT IN"
	       " (SELECT attempt FROM observation GROUP BY attempt"
	       "  HAVING count(*) = 3)", "0");
	expect(path, "SELECT count(*) FROM output WHERE attempt NOT IN"
	       " (SELECT attempt FROM outcome)", "0");
	expect(path, "SELECT count(*) FROM observation WHERE attempt NOT IN"
	       " (SELECT attempt FROM outcome)", "0");
}

static int make_all(struct store **out, const char *path, struct error *err)
{
	struct plan_list list = { .items = three };
	char recipe[] = "r", name[] = "x";
	struct campaign c = { .recipe = recipe, .experiment = name };
	int64_t session;
	int rc;

	*out = NULL;
	if (store_open(out, path, STORE_WRITE, err) < 0)
		return -1;
	rc = store_campaign_new(*out, &c, err);
	if (!rc)
		rc = store_session_new(*out, c.id, NULL, "1", NULL, &session,
				       err);
	if (!rc)
		rc = store_plan(*out, c.id, 3, plan_next, &list, err);
	if (!rc)
		rc = record_run(*out, c.id, session, "b/f=a#1", 20000, err);
	free(c.uuid);
	return rc;
}

/*
 * Fails the n-th call for n = 1, 2, ... until the work gets through without
 * meeting a fault; after each the store is whole, and the same handle works.
 */
static void fail_every_call(struct scratch *t, int code, bool lasting,
			    const char *part)
{
	struct error err = ERROR_INIT;
	int n = 0;

	do {
		char *path = mem_printf("%s/%d.db", t->dir, ++n);
		struct store *s = NULL;
		int rc;

		disk.code = code;
		disk.lasting = lasting;
		disk.hit = false;
		disk.countdown = n;
		rc = make_all(&s, path, &err);
		disk.countdown = 0;
		assert_true(disk.hit || rc == 0);
		if (rc < 0 && !strstr(err.text, part) &&
		    !strstr(err.text, "cannot be read or written"))
			fail_msg("at %d: %s", n, err.text);
		if (rc < 0)
			assert_int_equal(err.kind, ERROR_ENVIRONMENT);
		if (s && rc < 0) {
			int64_t c = plan(s, new_campaign(s), three, 3);

			ok(record_run(s, c, new_session(s, c), "b/f=b#1", 100,
				      &err));
		}
		store_close(s);
		s = open_store(path, STORE_WRITE);
		store_close(s);
		expect_whole(path);
		free(path);
		assert_true(n < 500);
	} while (disk.hit);
	assert_true(n > 20);
}

static void a_disk_full_for_a_moment_loses_nothing(void **state)
{
	fail_every_call(*state, SQLITE_FULL, false, "no space left on ");
}

static void a_disk_that_stays_full_loses_nothing(void **state)
{
	fail_every_call(*state, SQLITE_FULL, true, "no space left on ");
}

static void a_failing_disk_loses_nothing(void **state)
{
	fail_every_call(*state, SQLITE_IOERR_WRITE, true,
			"see to its disk and run again");
}

/* In a child, so that limits and mounts end with it; 77 = not possible. */
static void in_child(void (*body)(struct scratch *t), struct scratch *t)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		body(t);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
}

static void must(bool yes, const char *what, const struct error *err)
{
	if (yes)
		return;
	fprintf(stderr, "# %s: %s\n", what, err->text);
	_exit(1);
}

/* Records until it does not work any more, then makes room and goes on. */
static void fill_up(const char *path, const char *part,
		    void (*make_room)(const char *path))
{
	struct error err = ERROR_INIT;
	struct store *s = NULL;
	int made = 0;

	must(make_all(&s, path, &err) == 0, "open", &err);
	while (record_run(s, 1, 1, "b/f=a#1", 100000, &err) == 0 && made < 100)
		made++;
	must(made > 0 && made < 100, "fills up", &err);
	must(err.kind == ERROR_ENVIRONMENT && strstr(err.text, part) &&
	     strstr(err.text, "run `assay run` again: finished runs that could "
		    "not be recorded are kept on their hosts"), part, &err);
	make_room(path);
	must(record_run(s, 1, 1, "b/f=b#1", 100000, &err) == 0, "again", &err);
	store_close(s);
}

static void lift_limit(const char *path)
{
	struct rlimit limit;

	(void)path;
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static void fill_to_limit(struct scratch *t)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 1000000;
	setrlimit(RLIMIT_FSIZE, &limit);
	fill_up(t->db, "results/x.db: may not grow further (`ulimit -f`",
		lift_limit);
}

static void a_file_size_limit_loses_nothing(void **state)
{
	struct scratch *t = *state;

	in_child(fill_to_limit, t);
	expect_whole(t->db);
	expect(t->db, "SELECT count(*) FROM outcome AS o JOIN attempt AS a"
	       " ON a.id = o.attempt JOIN run AS r ON r.id = a.run"
	       " WHERE r.key = 'b/f=b#1'", "1");
}

static void write_text(const char *path, char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd >= 0) {
		(void)!write(fd, text, strlen(text));
		close(fd);
	}
	free(text);
}

/* A user who is not root is root in a namespace of his own, if he may. */
static bool own_mounts(void)
{
	unsigned uid = getuid(), gid = getgid();

	if (uid == 0)
		return unshare(CLONE_NEWNS) == 0;
	if (unshare(CLONE_NEWNS | CLONE_NEWUSER) < 0)
		return false;
	write_text("/proc/self/setgroups", mem_strdup("deny"));
	write_text("/proc/self/uid_map", mem_printf("0 %u 1", uid));
	write_text("/proc/self/gid_map", mem_printf("0 %u 1", gid));
	return getuid() == 0;
}

static bool mount_small(const char *dir)
{
	return own_mounts() &&
	       mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("small disk", dir, "tmpfs", 0, "size=4m") == 0;
}

static void remove_filler(const char *path)
{
	char *filler = mem_printf("%s.filler", path);

	unlink(filler);
	free(filler);
}

static void fill_small_disk(struct scratch *t)
{
	char *path = mem_printf("%s/x.db", t->dir);
	char *part = mem_printf("x.db: no space left on small disk (%s): free "
				"some", t->dir);
	char *filler = mem_printf("%s.filler", path);
	struct error err = ERROR_INIT;
	struct buf zeros = BUF_INIT;

	if (!mount_small(t->dir))
		_exit(77);
	buf_reserve(&zeros, 2000000);
	memset(zeros.data, 0, 2000000);
	must(path_write(filler, zeros.data, 2000000, &err) == 0, "filler",
	     &err);
	fill_up(path, part, remove_filler);
	expect_whole(path);
	free(path);
	free(part);
	free(filler);
	buf_release(&zeros);
}

static void a_full_file_system_is_named_and_loses_nothing(void **state)
{
	in_child(fill_small_disk, *state);
}

static void make_in_no_space(struct scratch *t)
{
	char *path = mem_printf("%s/results/x.db", t->dir);
	char *filler = mem_printf("%s/filler", t->dir);
	struct error err = ERROR_INIT;
	struct store *s = NULL;
	char page[4096] = "";
	int fd;

	if (!mount_small(t->dir))
		_exit(77);
	fd = open(filler, O_WRONLY | O_CREAT, 0644);
	while (write(fd, page, sizeof(page)) > 0)
		;
	close(fd);
	must(store_open(&s, path, STORE_WRITE, &err) < 0 &&
	     err.kind == ERROR_ENVIRONMENT &&
	     strstr(err.text, "no space left on small disk"), "opens", &err);
	free(path);
	free(filler);
}

static void a_store_is_not_begun_where_nothing_fits(void **state)
{
	in_child(make_in_no_space, *state);
}

static void record_for_ever(const char *path, int ready)
{
	struct error err = ERROR_INIT;
	struct store *s = NULL;

	alarm(60); /* does not outlive a test that fails */
	if (make_all(&s, path, &err) < 0)
		_exit(1);
	(void)!write(ready, "x", 1);
	while (record_run(s, 1, 1, "b/f=a#1", 3000, &err) == 0)
		;
	_exit(1);
}

static void killed_writers_leave_a_whole_store(void **state)
{
	struct scratch *t = *state;

	for (int i = 0; i < 20; i++) {
		struct timespec pause = { .tv_nsec = rand() % 20000000 };
		int ready[2], status;
		pid_t pid;
		char c;

		assert_int_equal(pipe(ready), 0);
		pid = fork();
		if (pid == 0)
			record_for_ever(t->db, ready[1]);
		close(ready[1]);
		assert_int_equal(read(ready[0], &c, 1), 1);
		close(ready[0]);
		nanosleep(&pause, NULL); /* any instant will do */
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		expect_whole(t->db);
	}
	expect(t->db, "SELECT count(*) > 20 FROM outcome", "1");
}

/* Every query of the store; each may fail, with one line. */
static void read_everything(const char *path)
{
	struct error err[7];
	struct store *s = NULL;
	struct campaign c = { 0 };
	struct frame f;
	struct run_status_row *rows = NULL;
	struct run_detail d;
	struct saved_state *states = NULL;
	struct open_attempt *open = NULL;
	char hex[65];
	size_t n = 0;

	memset(err, 0, sizeof(err));
	if (store_open(&s, path, STORE_READ, &err[0]) == 0) {
		if (store_campaign_latest(s, &c, &err[1]) == 0)
			campaign_release(&c);
		if (store_frame(s, 1, "b", "time", &f, &err[2]) == 0)
			drop_frame(&f);
		if (store_status(s, 1, &rows, &n, &err[3]) == 0)
			run_status_free(rows, n);
		if (store_run_detail(s, 1, "b/f=a#1", &d, &err[4]) == 0)
			run_detail_release(&d);
		store_digest(s, 1, hex, &err[5]);
		if (store_state_pending(s, NULL, &states, &n, &err[6]) == 0)
			saved_states_free(states, n);
		if (store_attempts_open(s, 1, &open, &n, &err[6]) == 0)
			open_attempts_free(open, n);
	}
	store_close(s);
	for (size_t i = 0; i < 7; i++) {
		if (err[i].kind != ERROR_NONE &&
		    (strchr(err[i].text, '\n') || !strstr(err[i].text, path)))
			fail_msg("%s", err[i].text);
	}
}

static void make_victim(struct scratch *t, struct buf *out)
{
	struct error err = ERROR_INIT;
	struct store *s = NULL;

	ok(make_all(&s, t->db, &err));
	for (int i = 0; i < 20; i++)
		ok(record_run(s, 1, 1, "b/f=a#1", 2000, &err));
	store_close(s);
	ok(path_read(t->db, 100 << 20, out, &err));
}

static void a_truncated_file_is_one_clear_line(void **state)
{
	struct scratch *t = *state;
	struct buf whole = BUF_INIT;
	struct error err = ERROR_INIT;
	struct store *s = NULL;

	make_victim(t, &whole);
	for (size_t n = whole.n - 1000; n > 1; n /= 2) {
		ok(path_write(t->db, whole.data, n, &err));
		read_everything(t->db);
	}
	ok(path_write(t->db, whole.data, whole.n / 2, &err));
	refused(store_open(&s, t->db, STORE_READ, &err), ERROR_ENVIRONMENT,
		"x.db: damaged (");
	assert_non_null(strstr(err.text, ".recover"));
	refused(store_open(&s, t->db, STORE_WRITE, &err), ERROR_ENVIRONMENT,
		"x.db: damaged (");
	buf_release(&whole);
}

static void garbage_in_a_page_is_one_clear_line(void **state)
{
	struct scratch *t = *state;
	struct buf whole = BUF_INIT;
	struct error err = ERROR_INIT;

	make_victim(t, &whole);
	for (size_t page = 0; page + 4096 <= whole.n; page += 4096) {
		char *copy = mem_alloc(whole.n);

		memcpy(copy, whole.data, whole.n);
		for (size_t i = page ? 0 : 100; i < 4096; i++)
			copy[page + i] = (char)(rand() >> 8);
		ok(path_write(t->db, copy, whole.n, &err));
		read_everything(t->db);
		memcpy(copy + page, whole.data + page, 4096);
		for (int i = 0; i < 20; i++)
			copy[page + (size_t)rand() % 4096] ^= 0x55;
		ok(path_write(t->db, copy, whole.n, &err));
		read_everything(t->db);
		free(copy);
	}
	buf_release(&whole);
}

static void output_that_was_tampered_with_is_refused(void **state)
{
	struct scratch *t = *state;
	struct buf whole = BUF_INIT;
	struct error err = ERROR_INIT;
	struct store *s;
	struct run_detail d;

	make_victim(t, &whole);
	buf_release(&whole);
	assert_int_equal(outside(t->db, "DROP TRIGGER content_no_update; "
				 "UPDATE content SET data = 'dume'"
				 " WHERE size = 4", NULL), SQLITE_OK);
	s = open_store(t->db, STORE_READ);
	refused(store_run_detail(s, 1, "b/f=a#1", &d, &err), ERROR_ENVIRONMENT,
		"is not what was recorded");
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define FAULTY(f) cmocka_unit_test_setup_teardown(f, disk_install, disk_remove)
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
		FAULTY(a_disk_full_for_a_moment_loses_nothing),
		FAULTY(a_disk_that_stays_full_loses_nothing),
		FAULTY(a_failing_disk_loses_nothing),
		TEST(a_file_size_limit_loses_nothing),
		TEST(a_full_file_system_is_named_and_loses_nothing),
		TEST(a_store_is_not_begun_where_nothing_fits),
		TEST(killed_writers_leave_a_whole_store),
		TEST(a_truncated_file_is_one_clear_line),
		TEST(garbage_in_a_page_is_one_clear_line),
		TEST(output_that_was_tampered_with_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
