#ifndef SPEC_REFERENCE_H
#define SPEC_REFERENCE_H

struct buf;
struct key;
struct key_table;

/*
 * The reference of a file format as Markdown: a section for every mapping
 * that is reached from the root, and in it every key with what it takes, its
 * default, its meaning and an example.
 */
void reference_markdown(struct buf *out, const struct key_table *root);

/* The same as sections of a manual page, in mdoc. */
void reference_mdoc(struct buf *out, const struct key_table *root);

/* What the key takes, in words, as Markdown. */
void reference_type(const struct key *key, struct buf *out);

#endif
