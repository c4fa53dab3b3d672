#include "orchestrate/exec/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The files of a run, in the order they are sent. */
enum file {
	META,
	OUT,
	OUT_TAIL,
	ERR,
	ERR_TAIL,
	RUNNER_ERR,
	KEPT,
	N_FILES,
};

static const char *const file_names[N_FILES] = {
	"meta", "out", "out.tail", "err", "err.tail", "runner.err",
	"kept",
};

struct cursor {
	const char *at;
	const char *end;
};

static size_t left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

/* The next line without its newline; false when there is no whole one. */
static bool next_line(struct cursor *c, struct slice *line)
{
	const char *newline = memchr(c->at, '\n', left(c));

	if (!newline)
		return false;
	line->data = c->at;
	line->n = (size_t)(newline - c->at);
	c->at = newline + 1;
	return true;
}

static bool is(const struct slice *s, const char *text)
{
	return s->n == strlen(text) && memcmp(s->data, text, s->n) == 0;
}

/* If the text starts with `word` and a blank, cuts them off. */
static bool cut_word(struct slice *s, const char *word)
{
	size_t n = strlen(word);

	if (s->n <= n || memcmp(s->data, word, n) || s->data[n] != ' ')
		return false;
	s->data += n + 1;
	s->n -= n + 1;
	return true;
}

/* Decimal digits at the front, at most `max` of them; cut off. */
static bool cut_digits(struct slice *s, size_t max, int64_t *value)
{
	size_t n = 0;

	*value = 0;
	while (n < s->n && n < max && s->data[n] >= '0' && s->data[n] <= '9')
		*value = *value * 10 + (s->data[n++] - '0');
	s->data += n;
	s->n -= n;
	return n > 0;
}

static bool cut_char(struct slice *s, char c)
{
	if (!s->n || *s->data != c)
		return false;
	s->data++;
	s->n--;
	return true;
}

/* "12.34" with at most 9 decimals, as 1e-9 units. */
static bool cut_nano(struct slice *s, int64_t *value)
{
	struct slice fraction;
	int64_t whole, part = 0;

	/* a clock that runs for 285 years is not believed */
	if (!cut_digits(s, 10, &whole) || whole > 9000000000)
		return false;
	*value = whole * 1000000000;
	if (!cut_char(s, '.'))
		return true;
	fraction = *s;
	if (!cut_digits(s, 9, &part))
		return false;
	for (size_t n = fraction.n - s->n; n < 9; n++)
		part *= 10;
	*value += part;
	return true;
}

/* "exit 3" */
static bool read_exit(struct slice line, struct result *r)
{
	int64_t status;

	if (!cut_word(&line, "exit") || !cut_digits(&line, 3, &status) ||
	    line.n)
		return false;
	r->exit_status = (int)status;
	return true;
}

/* "execution warmup 1" */
static bool read_execution(struct slice line, struct result *r)
{
	int64_t number;
	bool warmup;

	if (!cut_word(&line, "execution"))
		return false;
	warmup = cut_word(&line, "warmup");
	if ((warmup || cut_word(&line, "repeat")) &&
	    cut_digits(&line, 9, &number) && !line.n) {
		r->in_warmup = warmup;
		r->execution = (unsigned)number;
	}
	return true;
}

/* "uptime 1847.65 1850.12": one more execution */
static bool read_uptime(struct slice line, struct result *r)
{
	int64_t from, to;

	if (!cut_word(&line, "uptime"))
		return false;
	if (cut_nano(&line, &from) && cut_char(&line, ' ') &&
	    cut_nano(&line, &to) && !line.n && to >= from)
		r->duration = (isnan(r->duration) ? 0 : r->duration) +
			      (double)(to - from) / 1e9;
	return true;
}

/* "0m1.250000s", as `times` prints it. */
static bool cut_cpu(struct slice *s, double *seconds)
{
	int64_t minutes, nano;

	if (!cut_digits(s, 9, &minutes) || !cut_char(s, 'm') ||
	    !cut_nano(s, &nano) || !cut_char(s, 's'))
		return false;
	*seconds = (double)minutes * 60 + (double)nano / 1e9;
	return true;
}

/* After "cpu": the shell's own, then its children's, user and system. */
static bool read_cpu(struct cursor *c, struct result *r)
{
	struct slice own, children;
	double user, system;

	if (!next_line(c, &own) || !next_line(c, &children))
		return false;
	if (cut_cpu(&children, &user) && cut_char(&children, ' ') &&
	    cut_cpu(&children, &system)) {
		r->user = user;
		r->system = system;
	}
	return true;
}

/* A file without its last line "end" is one that was not written to the end. */
static void read_meta(struct slice meta, struct result *r)
{
	struct cursor c = { meta.data, meta.data + meta.n };
	struct slice line;
	bool has_exit = false;

	while (next_line(&c, &line)) {
		if (is(&line, "timeout"))
			r->timed_out = true;
		else if (is(&line, "stop"))
			r->stopped = true;
		else if (is(&line, "cpu") ? !read_cpu(&c, r) : false)
			return;
		else if (is(&line, "end"))
			r->ended = has_exit && c.at == c.end;
		else if (read_exit(line, r))
			has_exit = true;
		else if (!read_execution(line, r))
			read_uptime(line, r);
	}
}

/* "keep ok\n" */
static void read_kept(struct slice kept, struct result *r)
{
	if (!cut_word(&kept, "keep") || kept.data[kept.n - 1] != '\n')
		return;
	kept.n--;
	r->kept = kept;
}

/* "out.tail 65536 1796073429.372957921": name, bytes, time of last change */
static bool read_size(struct slice line, int64_t sizes[N_FILES],
		      struct result *r)
{
	int64_t size, when;
	size_t f;

	if (cut_word(&line, "started")) {
		if (cut_digits(&line, 9, &size) && cut_char(&line, ' ') &&
		    cut_nano(&line, &when))
			r->started = when;
		return true;
	}
	for (f = 0; f < N_FILES; f++)
		if (cut_word(&line, file_names[f]))
			break;
	if (f == N_FILES || sizes[f] >= 0)
		return false;
	return cut_digits(&line, 9, &sizes[f]);
}

static void set_stream(struct slice *head, struct slice *tail, bool *truncated,
		       const struct slice files[N_FILES],
		       const int64_t sizes[N_FILES], enum file f)
{
	*head = files[f];
	*tail = files[f + 1];
	*truncated = sizes[f + 1] >= 0;
}

/* Cuts the files out of what follows the sizes. */
static enum result_stage read_files(struct cursor *c,
				    const int64_t sizes[N_FILES],
				    const char *token, struct result *r)
{
	struct slice files[N_FILES];
	char end[64];
	int n = snprintf(end, sizeof(end), "\nassay %.32s end\n", token);

	for (size_t f = 0; f < N_FILES; f++) {
		size_t size = sizes[f] > 0 ? (size_t)sizes[f] : 0;

		if (left(c) < size)
			return RESULT_PARTIAL;
		files[f].data = c->at;
		files[f].n = size;
		c->at += size;
	}
	if (left(c) < (size_t)n)
		return memcmp(c->at, end, left(c)) ? RESULT_BROKEN :
						     RESULT_PARTIAL;
	if (memcmp(c->at, end, (size_t)n))
		return RESULT_BROKEN;
	set_stream(&r->out_head, &r->out_tail, &r->out_truncated, files, sizes,
		   OUT);
	set_stream(&r->err_head, &r->err_tail, &r->err_truncated, files, sizes,
		   ERR);
	r->trouble = files[RUNNER_ERR];
	read_kept(files[KEPT], r);
	read_meta(files[META], r);
	return RESULT_COMPLETE;
}

static enum result_stage read_result(struct cursor *c, const char *token,
				     struct result *r)
{
	int64_t sizes[N_FILES];
	struct slice line;

	for (size_t f = 0; f < N_FILES; f++)
		sizes[f] = -1;
	while (next_line(c, &line)) {
		if (!line.n)
			return read_files(c, sizes, token, r);
		if (!read_size(line, sizes, r))
			return RESULT_BROKEN;
	}
	return RESULT_PARTIAL;
}

/* Moves past "\nassay TOKEN WORD\n" */
static bool find_line(struct cursor *c, const char *token, const char *word)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "\nassay %.32s %s\n", token,
			 word);
	const char *at = memmem(c->at, left(c), line, (size_t)n);

	if (!at)
		return false;
	c->at = at + n;
	return true;
}

enum result_stage result_parse(struct result *r, const char *data, size_t n,
			       const char *token)
{
	struct cursor c = { data, data + n };

	memset(r, 0, sizeof(*r));
	r->exit_status = -1;
	r->duration = NAN;
	r->user = NAN;
	r->system = NAN;
	r->token = token;
	/* first, as a command's output may hold anything */
	if (find_line(&c, token, "result"))
		return read_result(&c, token, r);
	if (find_line(&c, token, "none"))
		return RESULT_NONE;
	return find_line(&c, token, "ready") ? RESULT_READY : RESULT_NOTHING;
}

/* Moves past "\nassay TOKEN repeat 2\n"; `before` is what it stood behind. */
static bool find_execution(const struct result *r, struct cursor *c,
			   struct slice *before, struct execution *part)
{
	char front[64];
	size_t n = (size_t)snprintf(front, sizeof(front), "\nassay %.32s ",
				    r->token);
	const char *start = c->at;
	struct cursor at = *c;
	struct slice line;
	int64_t number;

	while ((at.at = memmem(at.at, left(&at), front, n))) {
		before->data = start;
		before->n = (size_t)(at.at - start);
		at.at += n;
		c->at = at.at;
		if (!next_line(c, &line))
			return false;
		part->warmup = cut_word(&line, "warmup");
		if ((part->warmup || cut_word(&line, "repeat")) &&
		    cut_digits(&line, 9, &number) && !line.n) {
			part->number = (unsigned)number;
			return true;
		}
	}
	return false;
}

bool result_next_execution(const struct result *r, struct slice *rest,
			   struct execution *part)
{
	struct cursor c = { rest->data, rest->data + rest->n };
	struct execution next;
	struct slice before;

	if (!rest->n || !find_execution(r, &c, &before, part))
		return false;
	part->text = (struct slice){ c.at, left(&c) };
	*rest = (struct slice){ c.at + left(&c), 0 };
	if (find_execution(r, &c, &before, &next)) {
		*rest = (struct slice){ before.data + before.n, 0 };
		rest->n = (size_t)(c.end - rest->data);
		part->text = before;
	}
	return true;
}
