#ifndef VCS_REPO_H
#define VCS_REPO_H

struct error;
struct git_repository;

/* A repository with a work tree, and libgit2 for as long as it is open. */
struct repo {
	struct git_repository *git;
	char *root; /* the work tree, links resolved, no '/' at its end */
};

#define REPO_INIT { .git = NULL, .root = NULL }

/*
 * Opens the repository around the directory. 0 opened, 1 there is none (or
 * a bare one: its files are no work tree), -1 error. Release it in every
 * case.
 */
int repo_open(struct repo *r, const char *dir, struct error *err);
void repo_release(struct repo *r);

/* ERROR_ENVIRONMENT with what was tried and libgit2's reason. Returns -1. */
int repo_fault(const struct repo *r, const char *tried, struct error *err);

#endif
