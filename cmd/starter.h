#ifndef CMD_STARTER_H
#define CMD_STARTER_H

/* The experiments that `assay init` writes. */
enum starter {
	STARTER_LOCAL,
};

#define STARTER_FILE "experiment.yaml"

const char *starter_text(enum starter kind);

#endif
