#include "cmd/program.h"

#include <errno.h>
#include <string.h>

const char *program_name(void)
{
	const char *name = program_invocation_name;

	return name && strchr(name, '/') ? name : "assay";
}
