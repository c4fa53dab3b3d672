#ifndef EXEC_SSH_LOGIN_H
#define EXEC_SSH_LOGIN_H

#include <stdbool.h>

struct ssh_session;

/* The first two states of a session, for its pump. */

/* Exchanges keys and checks the host's. */
void ssh_login_handshake(struct ssh_session *s);

/* Returns whether what arrives on the socket is of no interest now. */
bool ssh_login_auth(struct ssh_session *s);

/* The host hung up while the agent was asked. */
void ssh_login_ended(struct ssh_session *s);

#endif
