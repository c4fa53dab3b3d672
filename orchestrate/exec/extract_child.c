#include "orchestrate/exec/extract_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "orchestrate/exec/extract.h"

#define READ_SIZE 65536
#define NS_PER_S 1000000000

/* What the child sends: this, then that many numbers, or the error's text. */
struct answer {
	enum error_kind kind; /* ERROR_NONE: numbers follow */
	size_t n;             /* numbers, or bytes of text */
};

/* Never raises a limit that somebody has set already. */
static void lower_limit(int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit l;

	if (getrlimit(resource, &l))
		return;
	if (hard < l.rlim_max)
		l.rlim_max = hard;
	if (soft < l.rlim_cur)
		l.rlim_cur = soft;
	setrlimit(resource, &l);
}

#ifdef __SANITIZE_ADDRESS__
/* Its shadow has terabytes of address space, and grows with use. */
static void limit_memory(size_t more)
{
	(void)more;
}
#else
static void limit_memory(size_t more)
{
	char text[32] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	rlim_t pages = 0, limit;

	if (fd >= 0) {
		if (read(fd, text, sizeof(text) - 1) > 0)
			pages = strtoul(text, NULL, 10);
		close(fd);
	}
	limit = pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
	lower_limit(RLIMIT_AS, limit, limit);
}
#endif

/*
 * The parent's handlers write into the parent's own pipes, so that they must
 * not run here. Whoever interrupts the parent lets it finish what runs.
 */
static void reset_signals(void)
{
	sigset_t none;

	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A library that ends the program comes here first: nothing is tidied twice. */
static void leave(void)
{
	_exit(3);
}

static void confine(const struct extract_limits *limits, int fd)
{
	int null = open("/dev/null", O_WRONLY);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	atexit(leave);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
	if (fd > 3)
		close_range(3, (unsigned)fd - 1, 0);
	close_range((unsigned)fd + 1, ~0U, 0);
	lower_limit(RLIMIT_CORE, 0, 0);
	prctl(PR_SET_DUMPABLE, 0); /* a core that is piped has no limit */
	/* past the soft limit SIGXCPU ends it */
	lower_limit(RLIMIT_CPU, limits->cpu, limits->cpu + 1);
	limit_memory(limits->memory);
	reset_signals();
}

static void send_all(int fd, const void *data, size_t n)
{
	const char *at = data;
	ssize_t sent;

	for (; n; at += sent, n -= (size_t)sent) {
		sent = write(fd, at, n);
		if (sent < 0)
			_exit(3);
	}
}

static void send_answer(int fd, int result, const struct extracted *x,
			const struct error *err)
{
	struct answer a;

	memset(&a, 0, sizeof(a)); /* the padding is sent, too */
	a.kind = result ? err->kind : ERROR_NONE;
	a.n = result ? strlen(err->text) : x->n;
	send_all(fd, &a, sizeof(a));
	if (result)
		send_all(fd, err->text, a.n);
	else if (a.n)
		send_all(fd, x->values, a.n * sizeof(*x->values));
}

/* Reads until the child closes its end; false when it took too long. */
static bool receive(struct buf *got, int fd, unsigned seconds)
{
	int64_t end = clock_monotonic_ns() + (int64_t)seconds * NS_PER_S;
	struct pollfd p = { .fd = fd, .events = POLLIN };

	for (;;) {
		int64_t left = (end - clock_monotonic_ns()) / 1000000;
		ssize_t n;

		if (left <= 0)
			return false;
		if (poll(&p, 1, (int)left) <= 0)
			continue; /* a signal, or the time is up */
		buf_reserve(got, READ_SIZE);
		n = read(fd, got->data + got->n, READ_SIZE);
		if (n > 0)
			got->n += (size_t)n;
		else if (n == 0 || errno != EINTR)
			return true;
	}
}

static int take_answer(const struct buf *got, const char *what,
		       struct extracted *out, struct error *err)
{
	const char *body = got->data + sizeof(struct answer);
	struct answer a = { .n = 0 };
	size_t size, n = 0;
	double value;

	if (got->n >= sizeof(a)) {
		memcpy(&a, got->data, sizeof(a));
		n = got->n - sizeof(a);
	}
	size = a.kind == ERROR_NONE ? sizeof(value) : 1;
	if (got->n < sizeof(a) || n != a.n * size)
		return error_set(err, ERROR_NEGATIVE,
				 "the %s ran out of memory or crashed", what);
	if (a.kind != ERROR_NONE)
		return error_set(err, a.kind, "%.*s", (int)n, body);
	for (size_t i = 0; i < a.n; i++) {
		memcpy(&value, body + i * sizeof(value), sizeof(value));
		if (extracted_add(out, value, err))
			return -1;
	}
	return 0;
}

/* Ends the child if it has not ended; its wait status. */
static int reap(pid_t pid)
{
	int status = 0;

	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			break;
	return status;
}

static int refuse_start(int number, const char *what, struct error *err)
{
	return error_set(err, ERROR_ENVIRONMENT, "assay cannot start a "
			 "process for the %s: %s", what, strerror(number));
}

static pid_t start(int fds[2], const char *what, struct error *err)
{
	sigset_t all, old;
	pid_t pid;
	int saved;

	if (pipe2(fds, O_CLOEXEC))
		return refuse_start(errno, what, err);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = fork();
	saved = errno;
	if (pid == 0)
		return 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	close(fds[1]);
	if (pid > 0)
		return pid;
	close(fds[0]);
	return refuse_start(saved, what, err);
}

int extract_in_child(const struct extract_limits *limits, const char *what,
		     int (*run)(void *compiled, const char *text, size_t n,
				struct extracted *out, struct error *err),
		     void *compiled, const char *text, size_t n,
		     struct extracted *out, struct error *err)
{
	struct extracted found = EXTRACTED_INIT;
	struct buf got = BUF_INIT;
	int fds[2], status, result;
	bool in_time;
	pid_t pid = start(fds, what, err);

	if (pid < 0)
		return -1;
	if (pid == 0) {
		struct error own = ERROR_INIT;

		confine(limits, fds[1]);
		result = run(compiled, text, n, &found, &own);
		send_answer(fds[1], result, &found, &own);
		_exit(0);
	}
	in_time = receive(&got, fds[0], limits->wall);
	close(fds[0]);
	status = reap(pid);
	if (!in_time)
		result = error_set(err, ERROR_NEGATIVE, "the %s did not end "
				   "within %u s", what, limits->wall);
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		result = error_set(err, ERROR_NEGATIVE, "the %s did not end "
				   "within %u s of CPU time", what,
				   limits->cpu);
	else
		result = take_answer(&got, what, out, err);
	buf_release(&got);
	return result;
}
