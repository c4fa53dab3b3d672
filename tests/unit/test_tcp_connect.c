#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/ssh_config.h"
#include "orchestrate/exec/tcp_connect.h"

struct answer {
	int n;
	int fd;
	struct error err;
};

static void on_done(void *ctx, int fd, const struct error *err)
{
	struct answer *a = ctx;

	a->n++;
	a->fd = fd;
	a->err = *err;
}

/* A listener on loopback; it never accepts. */
static int listen_on(int *port)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 0), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
	*port = ntohs(a.sin_port);
	return fd;
}

static void connect_to(struct answer *a, const char *hostname, int port,
		       double timeout)
{
	struct loop *l = loop_new();
	struct ssh_target t;

	ssh_target_init(&t);
	t.name = mem_strdup("alpha");
	t.hostname = mem_strdup(hostname);
	t.port = port;
	t.connect_timeout = timeout;
	a->n = 0;
	tcp_connect_start(l, &t, on_done, a);
	assert_int_equal(a->n, 0);
	loop_run(l);
	assert_int_equal(a->n, 1);
	ssh_target_release(&t);
	loop_free(l);
}

static void a_listener_is_connected_to(void **state)
{
	struct answer a;
	int port, fd = listen_on(&port);

	(void)state;
	connect_to(&a, "127.0.0.1", port, 5);
	assert_true(a.fd >= 0);
	assert_int_equal(a.err.kind, ERROR_NONE);
	assert_true(fcntl(a.fd, F_GETFL) & O_NONBLOCK);
	close(a.fd);
	close(fd);
}

static void the_next_address_is_tried_when_one_refuses(void **state)
{
	struct answer a;
	struct addrinfo *found = NULL;
	int port, fd;

	(void)state;
	if (getaddrinfo("localhost", NULL, NULL, &found))
		skip(); /* a machine without /etc/hosts */
	freeaddrinfo(found);
	fd = listen_on(&port);
	/* ::1 comes first where there is IPv6, and nobody listens on it */
	connect_to(&a, "localhost", port, 5);
	assert_true(a.fd >= 0);
	close(a.fd);
	close(fd);
}

static void a_refusal_says_what_to_look_at(void **state)
{
	struct answer a;
	int port, fd = listen_on(&port);
	char *want;

	(void)state;
	close(fd);
	connect_to(&a, "127.0.0.1", port, 5);
	assert_int_equal(a.fd, -1);
	assert_int_equal(a.err.kind, ERROR_ENVIRONMENT);
	want = mem_printf("host alpha (127.0.0.1:%d): connection refused: is "
			  "sshd running there, and is the port right?",
			  port);
	assert_string_equal(a.err.text, want);
	free(want);
}

static void fill_backlog(int *fds, size_t n, int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port) };

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (size_t i = 0; i < n; i++) {
		fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		connect(fds[i], (struct sockaddr *)&a, sizeof(a));
	}
}

static void silence_times_out(void **state)
{
	struct answer a;
	int port, fd = listen_on(&port), fillers[8];
	int64_t start;
	char *want;

	(void)state;
	/* the kernel drops what comes when the queue is full */
	fill_backlog(fillers, 8, port);
	start = clock_monotonic_ns();
	connect_to(&a, "127.0.0.1", port, 0.3);
	assert_true(clock_monotonic_ns() - start >= 300000000);
	assert_int_equal(a.fd, -1);
	want = mem_printf("host alpha (127.0.0.1:%d): timed out after 0.3 s: "
			  "is the host up, and does a firewall let port %d "
			  "through?",
			  port, port);
	assert_string_equal(a.err.text, want);
	free(want);
	for (size_t i = 0; i < 8; i++)
		close(fillers[i]);
	close(fd);
}

static void a_name_too_long_for_any_resolver_is_told(void **state)
{
	struct answer a;
	char name[400];

	(void)state;
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	connect_to(&a, name, 22, 5);
	assert_int_equal(a.fd, -1);
	assert_non_null(strstr(a.err.text, "host alpha: the name aaa"));
}

static void connecting_can_be_cancelled(void **state)
{
	struct loop *l = loop_new();
	struct ssh_target t;
	struct answer a = { .n = 0 };
	int port, fd = listen_on(&port);

	(void)state;
	ssh_target_init(&t);
	t.name = mem_strdup("alpha");
	t.hostname = mem_strdup("127.0.0.1");
	t.port = port;
	tcp_connect_cancel(tcp_connect_start(l, &t, on_done, &a));
	tcp_connect_cancel(NULL);
	loop_run(l);
	assert_int_equal(a.n, 0);
	ssh_target_release(&t);
	loop_free(l);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_listener_is_connected_to),
		cmocka_unit_test(the_next_address_is_tried_when_one_refuses),
		cmocka_unit_test(a_refusal_says_what_to_look_at),
		cmocka_unit_test(silence_times_out),
		cmocka_unit_test(a_name_too_long_for_any_resolver_is_told),
		cmocka_unit_test(connecting_can_be_cancelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
