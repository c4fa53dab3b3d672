#include "cmd/print.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/utf8.h"

int print_out(const struct buf *text, struct error *err)
{
	size_t done = 0;

	while (done < text->n) {
		ssize_t n = write(STDOUT_FILENO, text->data + done,
				  text->n - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EPIPE)
			return 0;
		if (n < 0)
			return error_set(err, ERROR_ENVIRONMENT,
					 "cannot write to standard output: %s",
					 strerror(errno));
		done += (size_t)n;
	}
	return 0;
}

void print_add(struct buf *out, const char *text)
{
	utf8_add_printable(out, text, strlen(text));
}

void print_error(const struct error *err)
{
	struct buf line = BUF_INIT;

	print_add(&line, err->text);
	fprintf(stderr, "assay: %s\n", line.data);
	buf_release(&line);
}

static void print_line(const char *prefix, const char *fmt, va_list ap)
{
	struct buf text = BUF_INIT, line = BUF_INIT;

	buf_vaddf(&text, fmt, ap);
	buf_adds(&line, prefix);
	print_add(&line, text.data);
	buf_addc(&line, '\n');
	fwrite(line.data, 1, line.n, stderr);
	buf_release(&text);
	buf_release(&line);
}

void print_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_line("", fmt, ap);
	va_end(ap);
}

void print_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_line("assay: warning: ", fmt, ap);
	va_end(ap);
}

int print_width(int fd)
{
	struct winsize size;

	if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}
