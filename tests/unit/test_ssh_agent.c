#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>
#include <cmocka.h>

#include "base/mem.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/ssh_agent.h"

/* An agent that says what the test tells it to. */
struct bench {
	struct loop *loop;
	char dir[32], path[64];
	uv_pipe_t server, client;
	bool accepted;
	const char *answer;     /* to the first request; NULL = silence */
	size_t n_answer;
	char asked[64];
	size_t n_asked;
	uv_write_t write;
	char buffer[64];
	int n_changed;
};

static void alloc_read(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	struct bench *b = handle->data;

	(void)suggested;
	*buf = uv_buf_init(b->buffer, sizeof(b->buffer));
}

static void on_request(uv_stream_t *client, ssize_t n, const uv_buf_t *buf)
{
	struct bench *b = client->data;
	uv_buf_t out = uv_buf_init((char *)(uintptr_t)b->answer,
				   (unsigned)b->n_answer);

	if (n <= 0) {
		uv_read_stop(client);
		return;
	}
	assert_true(b->n_asked + (size_t)n <= sizeof(b->asked));
	memcpy(b->asked + b->n_asked, buf->base, (size_t)n);
	b->n_asked += (size_t)n;
	if (b->answer)
		uv_write(&b->write, client, &out, 1, NULL);
}

static void on_client(uv_stream_t *server, int status)
{
	struct bench *b = server->data;

	assert_int_equal(status, 0);
	uv_pipe_init(loop_uv(b->loop), &b->client, 0);
	b->client.data = b;
	b->accepted = true;
	assert_int_equal(uv_accept(server, (uv_stream_t *)&b->client), 0);
	uv_read_start((uv_stream_t *)&b->client, alloc_read, on_request);
	uv_unref((uv_handle_t *)&b->client);
}

static int set_up(void **state)
{
	struct bench *b = mem_zalloc(1, sizeof(*b));

	b->loop = loop_new();
	strcpy(b->dir, "/tmp/assay-agent.XXXXXX");
	if (!mkdtemp(b->dir))
		return -1;
	snprintf(b->path, sizeof(b->path), "%s/sock", b->dir);
	uv_pipe_init(loop_uv(b->loop), &b->server, 0);
	b->server.data = b;
	if (uv_pipe_bind(&b->server, b->path) ||
	    uv_listen((uv_stream_t *)&b->server, 4, on_client))
		return -1;
	uv_unref((uv_handle_t *)&b->server);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	loop_free(b->loop);
	unlink(b->path);
	rmdir(b->dir);
	free(b);
	return 0;
}

static void on_changed(void *ctx)
{
	struct bench *b = ctx;

	b->n_changed++;
	loop_stop(b->loop);
}

static void ask(struct bench *b, struct ssh_agent **a, double timeout)
{
	*a = ssh_agent_open(b->loop, b->path, timeout, on_changed, b);
	assert_int_equal(ssh_agent_state(*a), AGENT_BUSY);
	while (ssh_agent_state(*a) == AGENT_BUSY)
		loop_run(b->loop);
	assert_int_equal(b->n_changed, 1);
}

static void the_keys_of_an_agent_are_listed(void **state)
{
	static const char answer[] = "\0\0\0\034\014\0\0\0\002"
				     "\0\0\0\003abc\0\0\0\001x"
				     "\0\0\0\0\0\0\0\003two";
	struct bench *b = *state;
	const struct agent_key *keys;
	struct ssh_agent *a;
	size_t n;

	b->answer = answer;
	b->n_answer = sizeof(answer) - 1;
	ask(b, &a, 5);
	assert_int_equal(b->n_asked, 5);
	assert_memory_equal(b->asked, "\0\0\0\001\013", 5);
	assert_int_equal(ssh_agent_state(a), AGENT_READY);
	keys = ssh_agent_keys(a, &n);
	assert_int_equal(n, 2);
	assert_int_equal(keys[0].n_key, 3);
	assert_memory_equal(keys[0].key, "abc", 3);
	assert_string_equal(keys[0].comment, "x");
	assert_int_equal(keys[1].n_key, 0);
	assert_string_equal(keys[1].comment, "two");
	ssh_agent_close(a);
}

static void a_signature_is_taken_out_of_its_wrapping(void **state)
{
	static const char keys_answer[] = "\0\0\0\021\014\0\0\0\001"
					  "\0\0\0\003abc\0\0\0\001x";
	static const char answer[] = "\0\0\0\023\016\0\0\0\016"
				     "\0\0\0\003alg\0\0\0\003SIG";
	struct bench *b = *state;
	const struct agent_key *keys;
	const unsigned char *sig;
	struct ssh_agent *a;
	size_t n;

	b->answer = keys_answer;
	b->n_answer = sizeof(keys_answer) - 1;
	ask(b, &a, 5);
	keys = ssh_agent_keys(a, &n);
	assert_int_equal(n, 1);
	b->answer = answer;
	b->n_answer = sizeof(answer) - 1;
	b->n_asked = 0;
	ssh_agent_sign(a, &keys[0], "data", 4);
	while (ssh_agent_state(a) == AGENT_BUSY)
		loop_run(b->loop);
	assert_int_equal(b->n_asked, 24);
	assert_memory_equal(b->asked,
			    "\0\0\0\024\015\0\0\0\003abc\0\0\0\004data\0\0\0\0",
			    24);
	sig = ssh_agent_signature(a, &n);
	assert_int_equal(n, 3);
	assert_memory_equal(sig, "SIG", 3);
	/* SSH_AGENT_FAILURE: no signature */
	b->answer = "\0\0\0\001\005";
	b->n_answer = 5;
	ssh_agent_sign(a, &keys[0], "data", 4);
	while (ssh_agent_state(a) == AGENT_BUSY)
		loop_run(b->loop);
	assert_int_equal(ssh_agent_state(a), AGENT_READY);
	assert_null(ssh_agent_signature(a, &n));
	ssh_agent_close(a);
}

static void expect_failure(struct bench *b, const char *answer, size_t n,
			   const char *problem)
{
	struct ssh_agent *a;

	b->answer = answer;
	b->n_answer = n;
	ask(b, &a, 5);
	assert_int_equal(ssh_agent_state(a), AGENT_FAILED);
	assert_string_equal(ssh_agent_problem(a), problem);
	ssh_agent_close(a);
}

static void an_answer_too_long_is_no_agent(void **state)
{
	expect_failure(*state, "\177\0\0\0x", 5,
		       "it does not speak the agent protocol");
}

static void an_empty_answer_is_no_agent(void **state)
{
	expect_failure(*state, "\0\0\0\0", 4,
		       "it does not speak the agent protocol");
}

static void keys_that_are_cut_off_are_left_out(void **state)
{
	static const char answer[] = "\0\0\0\021\014\0\0\0\003"
				     "\0\0\0\003abc\0\0\0\377x";
	struct bench *b = *state;
	struct ssh_agent *a;
	size_t n;

	b->answer = answer;
	b->n_answer = sizeof(answer) - 1;
	ask(b, &a, 5);
	assert_int_equal(ssh_agent_state(a), AGENT_READY);
	ssh_agent_keys(a, &n);
	assert_int_equal(n, 0);
	ssh_agent_close(a);
}

static void a_silent_agent_is_given_up(void **state)
{
	struct bench *b = *state;
	struct ssh_agent *a;

	ask(b, &a, 0.2);
	assert_int_equal(b->n_asked, 5);
	assert_int_equal(ssh_agent_state(a), AGENT_FAILED);
	assert_string_equal(ssh_agent_problem(a), "it does not answer");
	ssh_agent_close(a);
}

static void an_agent_may_be_closed_while_it_is_asked(void **state)
{
	struct bench *b = *state;

	ssh_agent_close(
		ssh_agent_open(b->loop, b->path, 5, on_changed, b));
	ssh_agent_close(NULL);
	loop_run(b->loop);
	assert_int_equal(b->n_changed, 0);
}

static void without_a_socket_there_is_no_agent(void **state)
{
	struct bench *b = *state;
	struct ssh_agent *a;

	strcat(b->path, ".not");
	ask(b, &a, 5);
	assert_int_equal(ssh_agent_state(a), AGENT_FAILED);
	assert_string_equal(ssh_agent_problem(a),
			    "no such file or directory");
	ssh_agent_close(a);
	b->path[strlen(b->path) - 4] = '\0';
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_keys_of_an_agent_are_listed),
		TEST(a_signature_is_taken_out_of_its_wrapping),
		TEST(an_answer_too_long_is_no_agent),
		TEST(an_empty_answer_is_no_agent),
		TEST(keys_that_are_cut_off_are_left_out),
		TEST(a_silent_agent_is_given_up),
		TEST(an_agent_may_be_closed_while_it_is_asked),
		TEST(without_a_socket_there_is_no_agent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
