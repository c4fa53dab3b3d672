#include "orchestrate/exec/tcp_connect.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/ssh_config.h"

struct tcp_connect {
	struct loop *loop;
	const struct ssh_target *t;
	void (*done)(void *ctx, int fd, const struct error *err);
	void *ctx;
	uv_getaddrinfo_t resolve;
	bool resolving;         /* `resolve` is in use by libuv */
	uv_poll_t poll;
	bool polling;           /* `poll` is open */
	bool over;              /* done, cancelled: free when all is closed */
	struct addrinfo *addresses, *next;
	int fd;
	struct timer *timer;
	int problem;            /* errno of an address that failed */
	struct error error;
};

static void free_if_over(struct tcp_connect *c)
{
	if (!c->over || c->resolving || c->polling)
		return;
	if (c->addresses)
		uv_freeaddrinfo(c->addresses);
	free(c);
}

static void try_next(struct tcp_connect *c);

static void on_poll_closed(uv_handle_t *handle)
{
	struct tcp_connect *c = handle->data;

	c->polling = false;
	if (c->over)
		free_if_over(c);
	else
		try_next(c);
}

static void stop(struct tcp_connect *c)
{
	c->over = true;
	timer_cancel(c->timer);
	c->timer = NULL;
	if (c->resolving)
		uv_cancel((uv_req_t *)&c->resolve);
	if (c->polling && !uv_is_closing((uv_handle_t *)&c->poll))
		uv_close((uv_handle_t *)&c->poll, on_poll_closed);
}

static void finish(struct tcp_connect *c, int fd)
{
	void (*done)(void *, int, const struct error *) = c->done;
	void *ctx = c->ctx;
	struct error err = c->error;

	c->fd = -1;
	stop(c);
	free_if_over(c);
	done(ctx, fd, &err);
}

static void explain_failure(struct tcp_connect *c)
{
	const struct ssh_target *t = c->t;
	char place[300];

	snprintf(place, sizeof(place), "host %s (%s:%d)", t->name,
		 t->hostname, t->port);
	switch (c->problem) {
	case ECONNREFUSED:
		error_set(&c->error, ERROR_ENVIRONMENT,
			  "%s: connection refused: is sshd running there, and "
			  "is the port right?",
			  place);
		break;
	case EHOSTUNREACH:
	case ENETUNREACH:
		error_set(&c->error, ERROR_ENVIRONMENT,
			  "%s: no route to it: check the address and the "
			  "network",
			  place);
		break;
	case ETIMEDOUT:
		error_set(&c->error, ERROR_ENVIRONMENT,
			  "%s: timed out after %g s: is the host up, and does "
			  "a firewall let port %d through?",
			  place, t->connect_timeout, t->port);
		break;
	default:
		error_set(&c->error, ERROR_ENVIRONMENT,
			  "%s: cannot connect: %s", place,
			  strerror(c->problem));
	}
}

/* An address without a route (IPv6, often) says less than one with. */
static void note_problem(struct tcp_connect *c, int problem)
{
	if (!c->problem || (problem != ENETUNREACH && problem != EAFNOSUPPORT))
		c->problem = problem;
}

/* Gives this address up and goes on to the next. */
static void drop_address(struct tcp_connect *c, int problem)
{
	note_problem(c, problem);
	timer_cancel(c->timer);
	c->timer = NULL;
	uv_poll_stop(&c->poll);
	close(c->fd);
	c->fd = -1;
	uv_close((uv_handle_t *)&c->poll, on_poll_closed);
}

static void on_timeout(void *ctx)
{
	struct tcp_connect *c = ctx;

	c->timer = NULL;
	drop_address(c, ETIMEDOUT);
}

static void on_connected(uv_poll_t *poll, int status, int events)
{
	struct tcp_connect *c = poll->data;
	socklen_t n = sizeof(int);
	int problem = 0;

	(void)status;
	(void)events;
	if (c->over || c->fd < 0)
		return;
	if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &problem, &n))
		problem = errno;
	if (problem) {
		drop_address(c, problem);
		return;
	}
	uv_poll_stop(&c->poll);
	finish(c, c->fd);
}

static void set_options(int fd)
{
	int on = 1, idle = 60, interval = 15, count = 4;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	/* The kernel notices a dead peer; nobody has to wake up to look. */
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval,
		   sizeof(interval));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
}

/* 0, or the errno of an address that fails at once. */
static int begin_address(struct tcp_connect *c, const struct addrinfo *a)
{
	c->fd = socket(a->ai_family,
		       SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (c->fd < 0)
		return errno;
	set_options(c->fd);
	if (connect(c->fd, a->ai_addr, a->ai_addrlen) &&
	    errno != EINPROGRESS) {
		int problem = errno;

		close(c->fd);
		c->fd = -1;
		return problem;
	}
	uv_poll_init_socket(loop_uv(c->loop), &c->poll, c->fd);
	c->poll.data = c;
	c->polling = true;
	uv_poll_start(&c->poll, UV_WRITABLE, on_connected);
	c->timer = timer_start(c->loop, c->t->connect_timeout, on_timeout, c);
	return 0;
}

static void try_next(struct tcp_connect *c)
{
	while (c->next) {
		const struct addrinfo *a = c->next;
		int problem;

		c->next = a->ai_next;
		problem = begin_address(c, a);
		if (!problem)
			return;
		note_problem(c, problem);
	}
	explain_failure(c);
	finish(c, -1);
}

static void on_resolved(uv_getaddrinfo_t *req, int status,
			struct addrinfo *addresses)
{
	struct tcp_connect *c = req->data;
	const struct ssh_target *t = c->t;

	c->resolving = false;
	c->addresses = addresses;
	c->next = addresses;
	if (c->over) {
		free_if_over(c);
		return;
	}
	timer_cancel(c->timer);
	c->timer = NULL;
	if (status == 0) {
		try_next(c);
		return;
	}
	if (status == UV_EAI_NONAME || status == UV_EAI_NODATA)
		error_set(&c->error, ERROR_ENVIRONMENT,
			  "host %s: the name %s does not resolve: check its "
			  "spelling, or give an address",
			  t->name, t->hostname);
	else
		error_set(&c->error, ERROR_ENVIRONMENT,
			  "host %s: the name %s cannot be resolved now (%s): "
			  "check the name service, or give an address",
			  t->name, t->hostname, uv_strerror(status));
	finish(c, -1);
}

static void on_resolve_timeout(void *ctx)
{
	struct tcp_connect *c = ctx;

	c->timer = NULL;
	if (c->error.kind == ERROR_NONE)
		error_set(&c->error, ERROR_ENVIRONMENT,
			  "host %s: the name %s did not resolve within %g s: "
			  "check the name service, or give an address",
			  c->t->name, c->t->hostname, c->t->connect_timeout);
	finish(c, -1);
}

struct tcp_connect *tcp_connect_start(struct loop *l,
				      const struct ssh_target *t,
				      void (*done)(void *ctx, int fd,
						   const struct error *err),
				      void *ctx)
{
	struct tcp_connect *c = mem_zalloc(1, sizeof(*c));
	struct addrinfo hints = { .ai_family = AF_UNSPEC,
				  .ai_socktype = SOCK_STREAM };
	char port[16];
	int rc;

	c->loop = l;
	c->t = t;
	c->done = done;
	c->ctx = ctx;
	c->fd = -1;
	c->resolve.data = c;
	snprintf(port, sizeof(port), "%d", t->port);
	rc = uv_getaddrinfo(loop_uv(l), &c->resolve, on_resolved, t->hostname,
			    port, &hints);
	c->resolving = rc == 0;
	if (rc)
		error_set(&c->error, ERROR_ENVIRONMENT,
			  "host %s: the name %s cannot be resolved: %s",
			  t->name, t->hostname, uv_strerror(rc));
	/* a refusal at once (a name too long) is told from the loop too */
	c->timer = timer_start(l, rc ? 0 : t->connect_timeout,
			       on_resolve_timeout, c);
	return c;
}

void tcp_connect_cancel(struct tcp_connect *c)
{
	if (!c)
		return;
	if (c->fd >= 0) {
		uv_poll_stop(&c->poll);
		close(c->fd);
		c->fd = -1;
	}
	stop(c);
	free_if_over(c);
}
