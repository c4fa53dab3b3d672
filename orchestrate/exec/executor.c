#include "orchestrate/exec/executor.h"

#include "orchestrate/spec/experiment.h"

struct executor *executor_new(struct loop *loop, const struct host *host,
			      const char *dir)
{
	if (host->local)
		return executor_local_new(loop, host, dir);
	return executor_ssh_new(loop, host, dir);
}
