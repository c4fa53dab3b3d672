#ifndef STORE_PLACE_H
#define STORE_PLACE_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct store;

/*
 * A campaign's directory on a host: there from the campaign's first attempt on
 * that host, until it is recorded that it was swept away. An attempt's end says
 * nothing about that: its controller may die before the host forgets.
 */
struct left_place {
	int64_t campaign;
	char *uuid;       /* the campaign's */
	char *host;
	int64_t attempt;  /* the newest there */
};

/* Those that may still be there, of all campaigns; host NULL = all. Not where
 * an attempt is open: what it left is collected first. */
int store_places_left(struct store *s, const char *host,
		      struct left_place **out, size_t *n, struct error *err);
void left_places_free(struct left_place *places, size_t n);

/* Records that it was swept, after its newest attempt. */
int store_place_swept(struct store *s, const struct left_place *place,
		      struct error *err);

#endif
