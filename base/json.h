#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/*
 * A JSON writer into a buffer. Commas are its business; nesting is the
 * caller's (open and close in pairs, at most 31 deep). Inside an object every
 * value is preceded by json_key(). Text that is not UTF-8 is written with
 * U+FFFD for each bad byte; NaN and infinities are written as null.
 */
struct json {
	struct buf *out;
	unsigned depth;
	uint32_t started; /* bit d: something was written at depth d */
	bool after_key;
};

void json_init(struct json *j, struct buf *out);
void json_object(struct json *j);
void json_object_end(struct json *j);
void json_array(struct json *j);
void json_array_end(struct json *j);
void json_key(struct json *j, const char *key);
void json_string(struct json *j, const char *s); /* NULL writes null */
void json_string_n(struct json *j, const char *s, size_t n);
void json_int(struct json *j, int64_t v);
void json_double(struct json *j, double v);      /* shortest that reads back */
void json_bool(struct json *j, bool v);
void json_null(struct json *j);

/* key and value in one call */
void json_put_string(struct json *j, const char *key, const char *s);
void json_put_int(struct json *j, const char *key, int64_t v);
void json_put_double(struct json *j, const char *key, double v);
void json_put_bool(struct json *j, const char *key, bool v);

#endif
