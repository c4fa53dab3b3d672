#include "stats/setup.h"

#include <gsl/gsl_errno.h>

void stats_setup(void)
{
	gsl_set_error_handler_off();
}
