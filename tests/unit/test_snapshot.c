#include "tests/unit/repo_fixture.h"

static void committed_files_are_heads(void **state)
{
	struct scratch *t = *state;

	run(t, "echo changed >other");
	snapshot(t);
	expect(t->s.commit, t, "git rev-parse HEAD");
	assert_false(t->s.dirty);
	assert_false(t->s.made);
	expect("", t, "git for-each-ref refs/assay");
}

static void changed_files_become_a_commit_on_top_of_head(void **state)
{
	struct scratch *t = *state;

	run(t, "echo two >exp/x.yaml");
	snapshot(t);
	assert_true(t->s.dirty);
	assert_true(t->s.made);
	expect(t->s.commit, t, "git rev-parse refs/assay/x");
	expect("two", t, "git show %s:exp/x.yaml", t->s.commit);
	expect("M\texp/x.yaml", t, "git diff --name-status HEAD %s",
	       t->s.commit);
	expect("A. Uthor <a@example.org>|A. Uthor|assay: snapshot of x", t,
	       "git log -1 --format='%%an <%%ae>|%%cn|%%s' %s", t->s.commit);
	expect("same", t, "[ $(git rev-parse %s^) = $(git rev-parse HEAD) ] &&"
	       "echo same", t->s.commit);
	expect("", t, "git fsck --strict");
}

/* Everything of the user's that could be touched, as one text. */
#define USERS_SIDE                                                        \
	"git --no-optional-locks status --porcelain --ignored;"           \
	"git rev-parse HEAD; git symbolic-ref -q HEAD || true;"           \
	"sha256sum .git/index; stat -c '%%n %%y %%i' .git/index .git/HEAD;" \
	"git for-each-ref refs/heads refs/tags; cat .git/logs/HEAD;"      \
	"find . -path ./.git -prune -o -printf '%%p %%T@ %%m %%i\\n' | sort"

static void branch_index_and_work_tree_are_not_touched(void **state)
{
	struct scratch *t = *state;
	char *before;

	run(t, "echo staged >lib.yaml; git add lib.yaml; echo more >>lib.yaml;"
	    "echo unstaged >other; echo new >untracked; echo i >ignored;"
	    "echo ignored >.gitignore; echo add >added; git add added;"
	    "git rm -q --cached exp/x.yaml; echo two >exp/x.yaml;"
	    "touch -d '2001-01-01' exp/x.yaml lib.yaml");
	strlist_push_nodup(&t->files, mem_printf("%s/repo/lib.yaml", t->dir));
	strlist_push_nodup(&t->files, mem_printf("%s/repo/untracked", t->dir));
	strlist_push_nodup(&t->files, mem_printf("%s/repo/ignored", t->dir));
	before = sh(t, USERS_SIDE);
	snapshot(t);
	expect(before, t, USERS_SIDE);
	free(before);
	expect("two staged more new i", t,
	       "echo $(for f in exp/x.yaml lib.yaml untracked ignored; do"
	       " git show %s:$f; done)", t->s.commit);
	expect("A\tignored\nA\tuntracked\nM\texp/x.yaml\nM\tlib.yaml", t,
	       "git diff --name-status HEAD %s | sort", t->s.commit);
}

static void the_same_files_give_the_same_commit(void **state)
{
	struct scratch *t = *state;
	char *first, *objects;

	run(t, "echo two >exp/x.yaml");
	snapshot(t);
	first = mem_strdup(t->s.commit);
	objects = sh(t, "find .git -type f | sort");
	snapshot(t);
	assert_string_equal(t->s.commit, first);
	assert_true(t->s.dirty);
	assert_false(t->s.made);
	expect(objects, t, "find .git -type f | sort");
	/* and after HEAD has moved on without them */
	run(t, "git commit -qm second --allow-empty");
	snapshot(t);
	assert_string_equal(t->s.commit, first);
	free(first);
	free(objects);
}

static void earlier_snapshots_stay_reachable(void **state)
{
	struct scratch *t = *state;
	char *first;

	run(t, "echo two >exp/x.yaml");
	snapshot(t);
	first = mem_strdup(t->s.commit);
	run(t, "echo three >exp/x.yaml");
	snapshot(t);
	assert_true(t->s.made);
	assert_string_not_equal(t->s.commit, first);
	expect("yes", t, "git merge-base --is-ancestor %s refs/assay/x &&"
	       "echo yes", first);
	run(t, "git gc -q --prune=now");
	expect("two", t, "git show %s:exp/x.yaml", first);
	/* not a second parent once HEAD has it */
	run(t, "git merge -q --no-edit refs/assay/x 2>&1 || git checkout -qf -B"
	    " main refs/assay/x; echo four >exp/x.yaml");
	snapshot(t);
	expect("1", t, "git rev-list --parents -1 %s | awk '{print NF - 1}'",
	       t->s.commit);
	free(first);
}

static void the_preferred_commit_wins_when_it_holds_the_same(void **state)
{
	struct scratch *t = *state;
	char *first = sh(t, "git rev-parse HEAD");

	run(t, "git commit -qm second --allow-empty");
	assert_int_equal(vcs_snapshot(&t->files, "x", first, &t->s, &t->err),
			 0);
	assert_string_equal(t->s.commit, first);
	assert_false(t->s.dirty);
	run(t, "echo two >exp/x.yaml; git commit -qam third");
	assert_int_equal(vcs_snapshot(&t->files, "x", first, &t->s, &t->err),
			 0);
	expect(t->s.commit, t, "git rev-parse HEAD");
	/* one that is no commit, or unknown here, is no reason to fail */
	assert_int_equal(vcs_snapshot(&t->files, "x", "nonsense", &t->s,
				      &t->err), 0);
	expect(t->s.commit, t, "git rev-parse HEAD");
	assert_int_equal(vcs_snapshot(
		&t->files, "x", "0123456789012345678901234567890123456789",
		&t->s, &t->err), 0);
	expect(t->s.commit, t, "git rev-parse HEAD");
	free(first);
}

static void before_the_first_commit_there_is_no_parent(void **state)
{
	struct scratch *t = *state;

	run(t, "rm -rf .git; git init -q");
	snapshot(t);
	assert_true(t->s.dirty && t->s.made);
	expect("", t, "git log -1 --format=%%P %s", t->s.commit);
	expect("exp/x.yaml", t, "git ls-tree -r --name-only %s", t->s.commit);
	expect("no HEAD", t, "git rev-parse -q --verify HEAD ||"
	       "echo no HEAD");
	snapshot(t);
	assert_false(t->s.made);
}

static void a_detached_head_is_the_parent(void **state)
{
	struct scratch *t = *state;

	run(t, "git checkout -q --detach; git commit -q --allow-empty -m d;"
	    "echo two >exp/x.yaml");
	snapshot(t);
	expect("d", t, "git log -1 --format=%%s %s^", t->s.commit);
	expect("", t, "git symbolic-ref -q HEAD || true");
}

static void a_worktree_counts_with_its_own_head(void **state)
{
	struct scratch *t = *state;

	run(t, "git worktree add -q ../wt; cd ../wt;"
	    "git commit -q --allow-empty -m w; echo two >exp/x.yaml");
	free(t->files.items[0]);
	t->files.items[0] = mem_printf("%s/wt/exp/x.yaml", t->dir);
	snapshot(t);
	assert_true(t->s.made);
	expect("w", t, "git log -1 --format=%%s %s^", t->s.commit);
	expect(t->s.commit, t, "git rev-parse refs/assay/x");
	expect("", t, "git -C ../wt status --porcelain | grep -v x.yaml ||"
	       " true");
}

static void outside_a_repository_there_is_no_commit(void **state)
{
	struct scratch *t = *state;

	run(t, "rm -rf .git");
	snapshot(t);
	assert_string_equal(t->s.commit, "");
	assert_false(t->s.dirty || t->s.made);
	/* nor in a bare one */
	run(t, "git init -q --bare .");
	snapshot(t);
	assert_string_equal(t->s.commit, "");
}

static void files_from_elsewhere_are_kept_as_external(void **state)
{
	struct scratch *t = *state;
	char *commit;

	run(t, "mkdir -p ../share/.git ../share/a; echo ext >../share/a/e.yaml;"
	    "echo odd >../share/.git/o.yaml; ln -s a/e.yaml ../share/l.yaml");
	strlist_push_nodup(&t->files,
			   mem_printf("%s/repo/../share/a/e.yaml", t->dir));
	strlist_push_nodup(&t->files,
			   mem_printf("%s/share/.git/o.yaml", t->dir));
	strlist_push_nodup(&t->files, mem_printf("%s/share/l.yaml", t->dir));
	snapshot(t);
	assert_true(t->s.dirty && t->s.made);
	commit = t->s.commit;
	expect("ext", t, "git show %s:.assay/external%s/share/a/e.yaml", commit,
	       t->dir);
	expect("odd", t, "git show %s:.assay/external%s/share/_.git/o.yaml",
	       commit, t->dir);
	expect("ext", t, "git show %s:.assay/external%s/share/l.yaml", commit,
	       t->dir);
	expect("", t, "git status --porcelain; git fsck --strict");
	snapshot(t);
	assert_false(t->s.made);
}

static void a_submodules_file_is_external(void **state)
{
	struct scratch *t = *state;

	run(t, "git init -q ../lib; cd ../lib; echo def >d.yaml; git add .;"
	    "git commit -qm l; cd ../repo;"
	    "git -c protocol.file.allow=always submodule -q add %s/lib sub;"
	    "git commit -qm sub", t->dir);
	strlist_push_nodup(&t->files, mem_printf("%s/repo/sub/d.yaml", t->dir));
	snapshot(t);
	expect("def", t, "git show %s:.assay/external%s/repo/sub/d.yaml",
	       t->s.commit, t->dir);
	expect("commit", t, "git ls-tree %s sub | cut -d' ' -f2", t->s.commit);
}

static void modes_and_links_are_kept(void **state)
{
	struct scratch *t = *state;

	run(t, "chmod +x exp/x.yaml; ln -s ../lib.yaml exp/link.yaml;"
	    "ln -s %s/home/h.yaml out.yaml; echo h >../home/h.yaml", t->dir);
	strlist_push_nodup(&t->files,
			   mem_printf("%s/repo/exp/link.yaml", t->dir));
	strlist_push_nodup(&t->files, mem_printf("%s/repo/out.yaml", t->dir));
	run(t, "echo changed >lib.yaml");
	snapshot(t);
	expect("120000 exp/link.yaml 100755 exp/x.yaml 100644 lib.yaml"
	       " 100644 other 120000 out.yaml", t,
	       "echo $(git ls-tree -r --format='%%(objectmode) %%(path)' %s |"
	       " grep -v external)", t->s.commit);
	expect("../lib.yaml", t, "git show %s:exp/link.yaml", t->s.commit);
	expect("changed", t, "git show %s:lib.yaml", t->s.commit);
	expect("h", t, "git show %s:.assay/external%s/home/h.yaml", t->s.commit,
	       t->dir);
	/* permissions that mean nothing change nothing */
	run(t, "git config core.filemode false; git checkout -q lib.yaml");
	t->files.n--;
	free(t->files.items[t->files.n]);
	t->files.n--;
	free(t->files.items[t->files.n]);
	snapshot(t);
	assert_false(t->s.dirty);
}

static void a_mode_alone_is_a_change(void **state)
{
	struct scratch *t = *state;

	run(t, "chmod +x exp/x.yaml");
	snapshot(t);
	assert_true(t->s.dirty && t->s.made);
	expect("100755", t, "git ls-tree --format='%%(objectmode)' %s"
	       " exp/x.yaml", t->s.commit);
}

static void a_link_that_leads_nowhere_is_an_error(void **state)
{
	struct scratch *t = *state;

	run(t, "ln -sf x.yaml exp/y.yaml; ln -sf y.yaml exp/x.yaml");
	refused(t, ERROR_USAGE, "exp/x.yaml: Too many levels of symbolic");
	run(t, "ln -sf gone exp/x.yaml");
	refused(t, ERROR_USAGE, "exp/x.yaml: No such file");
}

static void a_directory_in_the_way_is_replaced(void **state)
{
	struct scratch *t = *state;

	run(t, "mkdir was-dir; echo f >was-dir/f; echo g >was-file;"
	    "git add .; git commit -qm shapes; rm -r was-dir was-file;"
	    "mkdir was-file; echo d >was-dir; echo h >was-file/h");
	strlist_push_nodup(&t->files, mem_printf("%s/repo/was-dir", t->dir));
	strlist_push_nodup(&t->files, mem_printf("%s/repo/was-file/h", t->dir));
	snapshot(t);
	expect("d h", t, "echo $(git show %s:was-dir; git show %s:was-file/h)",
	       t->s.commit, t->s.commit);
	expect("", t, "git fsck --strict");
}

static void line_ends_follow_gitattributes(void **state)
{
	struct scratch *t = *state;

	run(t, "echo '*.yaml text eol=crlf' >.gitattributes; git add .;"
	    "git commit -qm attr; rm exp/x.yaml; git checkout -q exp/x.yaml;"
	    "grep -q \"$(printf '\\r')\" exp/x.yaml");
	snapshot(t);
	assert_false(t->s.dirty);
	expect(t->s.commit, t, "git rev-parse HEAD");
}

static void without_an_author_assay_signs(void **state)
{
	struct scratch *t = *state;

	run(t, "git config --global --unset user.email; echo two >exp/x.yaml");
	snapshot(t);
	expect("assay <assay@localhost>", t,
	       "git log -1 --format='%%an <%%ae>' %s", t->s.commit);
}

static void a_name_that_is_no_ref_is_made_one(void **state)
{
	struct scratch *t = *state;

	run(t, "echo two >exp/x.yaml");
	assert_int_equal(vcs_snapshot(&t->files, "a..b.lock", NULL, &t->s,
				      &t->err), 0);
	expect("refs/assay/a__b_lock", t,
	       "git for-each-ref --format='%%(refname)' refs/assay");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(committed_files_are_heads),
		TEST(changed_files_become_a_commit_on_top_of_head),
		TEST(branch_index_and_work_tree_are_not_touched),
		TEST(the_same_files_give_the_same_commit),
		TEST(earlier_snapshots_stay_reachable),
		TEST(the_preferred_commit_wins_when_it_holds_the_same),
		TEST(before_the_first_commit_there_is_no_parent),
		TEST(a_detached_head_is_the_parent),
		TEST(a_worktree_counts_with_its_own_head),
		TEST(outside_a_repository_there_is_no_commit),
		TEST(files_from_elsewhere_are_kept_as_external),
		TEST(a_submodules_file_is_external),
		TEST(modes_and_links_are_kept),
		TEST(a_mode_alone_is_a_change),
		TEST(a_link_that_leads_nowhere_is_an_error),
		TEST(a_directory_in_the_way_is_replaced),
		TEST(line_ends_follow_gitattributes),
		TEST(without_an_author_assay_signs),
		TEST(a_name_that_is_no_ref_is_made_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
