#include "base/clock.h"
#include "base/error.h"
#include "orchestrate/store/content.h"
#include "orchestrate/store/store_attempt.h"
#include "orchestrate/store/store_private.h"

int store_evidence(struct store *s, int64_t attempt, const char *host,
		   const char *factor, const char *level, const char *phase,
		   int exit_status, const char *text, size_t n,
		   struct error *err)
{
	struct db *db = &s->db;
	struct value none = value_text(NULL);
	int64_t content = 0;
	int rc;

	if (db_begin(db, err) < 0)
		return -1;
	rc = content_put(db, text, n, &content, err);
	if (!rc)
		rc = db_run(db,
			    "INSERT INTO evidence (attempt, host, factor,"
			    " level, phase, exit_status, content, recorded)"
			    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			    BIND(value_int(attempt), value_text(host),
				 value_text(factor), value_text(level),
				 value_text(phase),
				 exit_status < 0 ? none :
						   value_int(exit_status),
				 value_id(content),
				 value_int(clock_wall_ns())),
			    err);
	return db_commit(db, rc, err);
}

int store_host_fact(struct store *s, int64_t session, const char *host,
		    const char *key, const char *value, struct error *err)
{
	return db_run(&s->db,
		      "INSERT INTO host_fact (session, host, key, value)"
		      " VALUES (?, ?, ?, ?)",
		      BIND(value_int(session), value_text(host),
			   value_text(key), value_text(value ? value : "")),
		      err);
}
