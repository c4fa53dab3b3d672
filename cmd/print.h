#ifndef CMD_PRINT_H
#define CMD_PRINT_H

struct buf;
struct error;

/*
 * Writes all of it to standard output. A reader that went away (head) is no
 * fault; a full disk is ERROR_ENVIRONMENT.
 */
int print_out(const struct buf *text, struct error *err);

/* Appends text that may quote a command's output, fit for a terminal. */
void print_add(struct buf *out, const char *text);

/* "assay: ..." on standard error. */
void print_error(const struct error *err);
void print_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void print_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Columns of the terminal behind the descriptor; 0 when it is none. */
int print_width(int fd);

#endif
