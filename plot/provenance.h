#ifndef PLOT_PROVENANCE_H
#define PLOT_PROVENANCE_H

/* What every chart, table and document carries. Borrowed strings. */
struct provenance {
	const char *experiment;
	const char *commit;   /* 40 hex, "" when outside git */
	const char *campaign; /* uuid */
	const char *digest;   /* data digest, 64 hex */
	const char *version;  /* assay's */
};

#endif
