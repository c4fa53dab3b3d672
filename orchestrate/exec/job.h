#ifndef EXEC_JOB_H
#define EXEC_JOB_H

#include <stdbool.h>
#include <stddef.h>

struct job;

/* For executors. */

/*
 * Keeps what fits under the job's limit of `n` bytes that came on standard
 * output (or error), flags the rest as truncated, and tells on_output when
 * the output grew. The job may be cancelled or written to from there.
 */
void job_keep(struct job *job, bool is_err, const void *data, size_t n);

/* Clears the result part, for a job that starts. */
void job_begin(struct job *job);

#endif
