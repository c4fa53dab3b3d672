#ifndef EXEC_TCP_CONNECT_H
#define EXEC_TCP_CONNECT_H

struct error;
struct loop;
struct ssh_target;

/*
 * Resolves the target's host name and connects to the first of its
 * addresses that answers, each given the target's connect_timeout. done()
 * is called once, from the loop: fd >= 0, non-blocking and the callee's to
 * close, or -1 and an error.
 */
struct tcp_connect;
struct tcp_connect *tcp_connect_start(struct loop *l,
				      const struct ssh_target *t,
				      void (*done)(void *ctx, int fd,
						   const struct error *err),
				      void *ctx);
void tcp_connect_cancel(struct tcp_connect *c); /* NULL-safe; no done() */

#endif
