#ifndef SPEC_FACTS_H
#define SPEC_FACTS_H

#include <stdbool.h>

#include "orchestrate/spec/reading.h"

struct experiment;
struct host;

/*
 * What expressions can know of a host before anything runs there: HOST.FACT,
 * or ROLE.FACT when all hosts of the role agree.
 *
 *	cpus      processors, a number
 *	memory    bytes
 *	arch      "x86_64"
 *	kernel    "Linux 6.1.0-18-amd64"
 *	hostname, os, cpu, clocksource, cpu_governor, virtualization, product,
 *	boot_id, user_id
 *
 * "cores" and "machine", under which a host reports two of them, are cpus and
 * arch too. The source (struct fact_source) is asked by those keys and has
 * the values as they were reported ("16384 kB"). A fact that is not known yet
 * is noted in e->facts as a need, and 1 (or "" where it is text) stands in for
 * it: with everything else in order, the file can still be read.
 */

/* Under which key a host reports it ("cores" for "cpus"); NULL: there is no
 * such fact. */
const char *fact_key(const char *fact);
void fact_names(struct strlist *out);

/*
 * The fact as text, borrowed from the experiment, and whether it is known.
 * `of` is a host or a role. NULL after reporting that there is no such host,
 * role or fact, or that the hosts of the role differ.
 */
const char *facts_get(struct reading *r, const char *of, const char *fact,
		      struct mark at, bool *known);

/* The same from what the experiment has been read with, without reporting:
 * NULL when it is not known of the host *unknown. */
const char *facts_known(const struct experiment *e, const char *of,
			const char *fact, const struct host **unknown);

/*
 * A text that may be computed from facts and numbers: "= sut.cpus * 2". One
 * that does not start with "=" is itself. Caller frees *out. *known becomes
 * false when a fact was not known, else it stays. Returns -1 after reporting.
 */
int facts_text(struct reading *r, const struct yaml_node *node, char **out,
	       bool *known);

#endif
