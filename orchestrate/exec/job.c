#include "orchestrate/exec/job.h"

#include <string.h>

#include "orchestrate/exec/executor.h"

#define JOB_LIMIT_DEFAULT ((size_t)16 << 20)

void job_init(struct job *job)
{
	memset(job, 0, sizeof(*job));
	job->limit = JOB_LIMIT_DEFAULT;
	job->exit_status = -1;
	buf_init(&job->out);
	buf_init(&job->err);
}

void job_release(struct job *job)
{
	buf_release(&job->out);
	buf_release(&job->err);
}

void job_begin(struct job *job)
{
	buf_clear(&job->out);
	buf_clear(&job->err);
	job->out_truncated = false;
	job->err_truncated = false;
	job->exit_status = -1;
	job->timed_out = false;
	job->error = (struct error)ERROR_INIT;
	job->priv = NULL;
}

void job_keep(struct job *job, bool is_err, const void *data, size_t n)
{
	struct buf *b = is_err ? &job->err : &job->out;
	size_t room = job->limit > b->n ? job->limit - b->n : 0;

	if (n > room) {
		if (is_err)
			job->err_truncated = true;
		else
			job->out_truncated = true;
		n = room;
	}
	if (!n)
		return;
	buf_add(b, data, n);
	if (!is_err && job->on_output)
		job->on_output(job);
}
