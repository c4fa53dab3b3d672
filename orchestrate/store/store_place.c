#include "orchestrate/store/store_place.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/store/store_private.h"

int store_places_left(struct store *s, const char *host,
		      struct left_place **out, size_t *n, struct error *err)
{
	struct left_place *items = NULL;
	sqlite3_stmt *stmt = NULL;
	size_t count = 0, cap = 0;
	int rc;

	if (db_query(&s->db, &stmt,
		     "SELECT c.id, c.uuid, a.host, max(a.id)"
		     " FROM attempt AS a JOIN run AS r ON r.id = a.run"
		     " JOIN campaign AS c ON c.id = r.campaign"
		     " LEFT JOIN outcome AS o ON o.attempt = a.id"
		     " WHERE (?1 IS NULL OR a.host = ?1)"
		     " GROUP BY c.id, a.host"
		     " HAVING count(*) = count(o.attempt) AND max(a.id) >"
		     "  (SELECT coalesce(max(w.attempt), 0) FROM swept AS w"
		     "   WHERE w.campaign = c.id AND w.host = a.host)"
		     " ORDER BY max(a.id)", BIND(value_text(host)), err) < 0)
		return -1;
	while ((rc = db_next(&s->db, stmt, err)) > 0) {
		MEM_GROW(items, count, cap);
		items[count++] = (struct left_place){
			.campaign = sqlite3_column_int64(stmt, 0),
			.uuid = db_column_text(stmt, 1),
			.host = db_column_text(stmt, 2),
			.attempt = sqlite3_column_int64(stmt, 3),
		};
	}
	db_end(stmt);
	if (rc < 0) {
		left_places_free(items, count);
		return -1;
	}
	*out = items;
	*n = count;
	return 0;
}

void left_places_free(struct left_place *places, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(places[i].uuid);
		free(places[i].host);
	}
	free(places);
}

int store_place_swept(struct store *s, const struct left_place *place,
		      struct error *err)
{
	return db_run(&s->db,
		      "INSERT INTO swept (campaign, host, attempt, recorded)"
		      " VALUES (?, ?, ?, ?)",
		      BIND(value_int(place->campaign), value_text(place->host),
			   value_int(place->attempt),
			   value_int(clock_wall_ns())),
		      err);
}
