#ifndef CMD_STARTER_H
#define CMD_STARTER_H

/* The experiments that `assay init` writes. */
enum starter {
	STARTER_LOCAL,   /* a tool on this machine */
	STARTER_PAIR,    /* a server and a client */
	STARTER_STORAGE, /* a matrix of settings, with root */
};

#define STARTER_FILE "experiment.yaml"

const char *starter_text(enum starter kind);

/* One file each. */
extern const char starter_local[], starter_pair[], starter_storage[];

#endif
