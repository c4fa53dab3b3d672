#ifndef EXEC_LOOP_H
#define EXEC_LOOP_H

#include <stdint.h>

struct error;
struct uv_loop_s;

/* The libuv loop everything in exec/ runs on. One thread. */
struct loop;

struct loop *loop_new(void);
void loop_free(struct loop *l);           /* closes what is left */
struct uv_loop_s *loop_uv(struct loop *l); /* for files of exec/ only */
void loop_run(struct loop *l);            /* until nothing is under way */
void loop_stop(struct loop *l);

/* Calls fn(ctx) once after `seconds`, never before; cancel with timer_cancel
 * (NULL-safe). */
struct timer;
struct timer *timer_start(struct loop *l, double seconds,
			  void (*fn)(void *ctx), void *ctx);
void timer_cancel(struct timer *t); /* also frees; do not use after fn ran */

/* fn(ctx, count) at each SIGINT or SIGTERM and at the first SIGHUP (unless that
 * is ignored), count = 1, 2, ...; does not keep the loop alive. NULL fn stops
 * watching. */
void loop_on_interrupt(struct loop *l, void (*fn)(void *ctx, int count),
		       void *ctx);

#endif
