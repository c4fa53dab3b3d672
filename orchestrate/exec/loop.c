#include "orchestrate/exec/loop.h"

#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <uv.h>

#include "base/mem.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define N_SIGNALS (sizeof(signals) / sizeof(signals[0]))

struct loop {
	uv_loop_t uv;
	uv_signal_t signals[N_SIGNALS];
	size_t n_signals; /* those watched: all, or all but SIGHUP */
	bool watching;
	bool hung_up;
	int interrupts;
	void (*on_interrupt)(void *ctx, int count);
	void *interrupt_ctx;
	struct sigaction old_sigpipe;
};

struct timer {
	uv_timer_t uv;
	void (*fn)(void *ctx);
	void *ctx;
};

struct loop *loop_new(void)
{
	struct loop *l = mem_zalloc(1, sizeof(*l));
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	int rc = uv_loop_init(&l->uv);

	assert(rc == 0);
	(void)rc;
	/* A script that ends early must not end us when we write to it. */
	sigaction(SIGPIPE, &ignore, &l->old_sigpipe);
	return l;
}

static void free_timer(uv_handle_t *handle)
{
	free(handle->data);
}

/* Every uv_timer_t on the loop is a struct timer. */
static void close_left_over(uv_handle_t *handle, void *ctx)
{
	(void)ctx;
	if (!uv_is_closing(handle))
		uv_close(handle, handle->type == UV_TIMER ? free_timer : NULL);
}

void loop_free(struct loop *l)
{
	int rc;

	if (!l)
		return;
	uv_walk(&l->uv, close_left_over, NULL);
	uv_run(&l->uv, UV_RUN_DEFAULT);
	rc = uv_loop_close(&l->uv);
	assert(rc == 0);
	(void)rc;
	sigaction(SIGPIPE, &l->old_sigpipe, NULL);
	free(l);
}

struct uv_loop_s *loop_uv(struct loop *l)
{
	return &l->uv;
}

void loop_run(struct loop *l)
{
	uv_run(&l->uv, UV_RUN_DEFAULT);
}

void loop_stop(struct loop *l)
{
	uv_stop(&l->uv);
}

static void on_timer(uv_timer_t *handle)
{
	struct timer *t = handle->data;

	/* Closing first makes timer_cancel() within fn harmless. */
	uv_close((uv_handle_t *)handle, free_timer);
	t->fn(t->ctx);
}

static uint64_t milliseconds(double seconds)
{
	if (!(seconds > 0))
		return 0;
	if (seconds > 1e9)
		seconds = 1e9;
	/* the loop counts whole milliseconds, so that one may be half over */
	return (uint64_t)ceil(seconds * 1e3) + 1;
}

struct timer *timer_start(struct loop *l, double seconds,
			  void (*fn)(void *ctx), void *ctx)
{
	struct timer *t = mem_zalloc(1, sizeof(*t));

	t->fn = fn;
	t->ctx = ctx;
	uv_timer_init(&l->uv, &t->uv);
	t->uv.data = t;
	/* The loop's idea of now is as old as its last wake-up. */
	uv_update_time(&l->uv);
	uv_timer_start(&t->uv, on_timer, milliseconds(seconds), 0);
	return t;
}

void timer_cancel(struct timer *t)
{
	if (t && !uv_is_closing((uv_handle_t *)&t->uv))
		uv_close((uv_handle_t *)&t->uv, free_timer);
}

static void on_signal(uv_signal_t *handle, int signum)
{
	struct loop *l = handle->data;

	/* The kernel and the shell both tell that the terminal was closed:
	 * nobody insists. */
	if (signum == SIGHUP && l->hung_up)
		return;
	l->hung_up = l->hung_up || signum == SIGHUP;
	l->interrupts++;
	if (l->on_interrupt)
		l->on_interrupt(l->interrupt_ctx, l->interrupts);
}

/* nohup(1) asks for this. */
static bool hangup_is_ignored(void)
{
	struct sigaction old;

	return !sigaction(SIGHUP, NULL, &old) && old.sa_handler == SIG_IGN;
}

static void init_signals(struct loop *l)
{
	l->n_signals = hangup_is_ignored() ? N_SIGNALS - 1 : N_SIGNALS;
	for (size_t i = 0; i < l->n_signals; i++) {
		uv_signal_init(&l->uv, &l->signals[i]);
		l->signals[i].data = l;
		uv_unref((uv_handle_t *)&l->signals[i]);
	}
	l->watching = true;
}

void loop_on_interrupt(struct loop *l, void (*fn)(void *ctx, int count),
		       void *ctx)
{
	l->on_interrupt = fn;
	l->interrupt_ctx = ctx;
	l->interrupts = 0;
	l->hung_up = false;
	if (fn && !l->watching)
		init_signals(l);
	for (size_t i = 0; i < N_SIGNALS && i < l->n_signals; i++) {
		if (fn)
			uv_signal_start(&l->signals[i], on_signal, signals[i]);
		else
			uv_signal_stop(&l->signals[i]);
	}
}
