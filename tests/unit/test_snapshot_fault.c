#include "tests/unit/repo_fixture.h"

#include <sys/wait.h>

static void a_vanished_file_is_an_error(void **state)
{
	struct scratch *t = *state;

	run(t, "rm exp/x.yaml");
	refused(t, ERROR_USAGE, "exp/x.yaml: No such file or directory");
	run(t, "mkdir exp/x.yaml");
	refused(t, ERROR_USAGE, "exp/x.yaml: not a regular file");
	expect("", t, "git for-each-ref refs/assay");
}

static void a_locked_ref_says_which_file_to_remove(void **state)
{
	struct scratch *t = *state;
	char *lock = mem_printf("%s/repo/.git/refs/assay/x.lock", t->dir);

	run(t, "echo two >exp/x.yaml; mkdir -p .git/refs/assay;"
	    "touch .git/refs/assay/x.lock");
	refused(t, ERROR_ENVIRONMENT, lock);
	run(t, "rm .git/refs/assay/x.lock");
	snapshot(t);
	assert_true(t->s.made);
	free(lock);
}

/* Root may write anywhere, so that this is tried as nobody, who is made the
 * repository's owner. */
static void in_read_only_repository(struct scratch *t)
{
	if (getuid() == 0 && (setgid(NOBODY) || setuid(NOBODY)))
		_exit(2);
	if (vcs_snapshot(&t->files, "x", NULL, &t->s, &t->err) == 0 ||
	    t->err.kind != ERROR_ENVIRONMENT ||
	    !strstr(t->err.text, "/repo: cannot write an object: ") ||
	    !strstr(t->err.text, "ermission denied") ||
	    strchr(t->err.text, '\n')) {
		fprintf(stderr, "# %s\n", t->err.text);
		_exit(1);
	}
	_exit(0);
}

static void a_read_only_repository_is_named(void **state)
{
	struct scratch *t = *state;
	int status = 0;
	pid_t pid;

	run(t, "echo two >exp/x.yaml; chmod 755 ..; "
	    "if [ $(id -u) = 0 ]; then chown -R %d . ../home; fi;"
	    "chmod -R a-w .git", NOBODY);
	pid = fork();
	if (pid == 0)
		in_read_only_repository(t);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void a_strangers_repository_says_how_to_trust_it(void **state)
{
	struct scratch *t = *state;
	char *remedy = mem_printf("git config --global --add safe.directory "
				  "%s/repo`", t->dir);

	if (getuid() != 0)
		skip();
	run(t, "chown -R %d .", NOBODY);
	refused(t, ERROR_ENVIRONMENT, remedy);
	run(t, "git config --global --add safe.directory /elsewhere");
	refused(t, ERROR_ENVIRONMENT, remedy);
	run(t, "git config --global --add safe.directory %s/repo", t->dir);
	snapshot(t);
	expect(t->s.commit, t, "git rev-parse HEAD");
	free(remedy);
}

static void a_broken_repository_is_named(void **state)
{
	struct scratch *t = *state;

	run(t, "echo '[core' >.git/config");
	refused(t, ERROR_ENVIRONMENT, "cannot open the git repository around ");
	run(t, "git init -q ../new; cp ../new/.git/config .git/config;"
	    "rm -r .git/objects/??");
	refused(t, ERROR_ENVIRONMENT, "/repo: cannot read HEAD: ");
}

static void a_file_comes_back_out_of_its_commit(void **state)
{
	struct scratch *t = *state;
	char *repo = mem_printf("%s/repo/exp", t->dir);
	char *unknown = mem_strdup("0123456789012345678901234567890123456789");
	struct buf out = BUF_INIT;

	run(t, "printf 'a\\0b' >exp/x.yaml");
	snapshot(t);
	run(t, "rm -r exp/x.yaml");
	assert_int_equal(vcs_file_at(repo, t->s.commit, "exp/x.yaml", &out,
				     &t->err), 0);
	assert_int_equal(out.n, 3);
	assert_memory_equal(out.data, "a\0b", 4);
	assert_int_equal(vcs_file_at(repo, t->s.commit, "gone", &out, &t->err),
			 -1);
	assert_int_equal(t->err.kind, ERROR_USAGE);
	assert_non_null(strstr(t->err.text, "has no file gone"));
	assert_int_equal(vcs_file_at(repo, t->s.commit, "exp", &out, &t->err),
			 -1);
	assert_non_null(strstr(t->err.text, "is not a file"));
	assert_int_equal(vcs_file_at(repo, unknown, "exp", &out, &t->err), -1);
	assert_int_equal(t->err.kind, ERROR_ENVIRONMENT);
	assert_non_null(strstr(t->err.text, "has no commit 0123"));
	assert_int_equal(vcs_file_at(repo, "short", "exp", &out, &t->err), -1);
	assert_int_equal(vcs_file_at("/", unknown, "exp", &out, &t->err), -1);
	assert_non_null(strstr(t->err.text, "/ is not in a git repository"));
	buf_release(&out);
	free(repo);
	free(unknown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(a_vanished_file_is_an_error),
		TEST(a_locked_ref_says_which_file_to_remove),
		TEST(a_read_only_repository_is_named),
		TEST(a_strangers_repository_says_how_to_trust_it),
		TEST(a_broken_repository_is_named),
		TEST(a_file_comes_back_out_of_its_commit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
