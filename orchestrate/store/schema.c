#include "orchestrate/store/schema.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/store/db.h"
#include "orchestrate/store/fault.h"

#define SETTLING "('ok', 'failed', 'timeout', 'invalid')"

/* Described for its readers in docs/store.md. Times are nanoseconds since
 * 1970-01-01T00:00:00Z. */
static const char format_1[] =
	"CREATE TABLE campaign ("
	" id INTEGER PRIMARY KEY,"
	" uuid TEXT NOT NULL UNIQUE,"
	" recipe TEXT NOT NULL,"
	" experiment TEXT NOT NULL,"
	" seed TEXT NOT NULL," /* 64 bits without sign: decimal text */
	" started INTEGER NOT NULL);"

	"CREATE TABLE session ("
	" id INTEGER PRIMARY KEY,"
	" campaign INTEGER NOT NULL REFERENCES campaign (id),"
	" commit_id TEXT,"
	" version TEXT NOT NULL,"
	" started INTEGER NOT NULL);"
	"CREATE INDEX session_campaign ON session (campaign);"

	"CREATE TABLE treatment ("
	" id INTEGER PRIMARY KEY,"
	" key TEXT NOT NULL UNIQUE);"
	"CREATE TABLE treatment_level ("
	" treatment INTEGER NOT NULL REFERENCES treatment (id),"
	" factor TEXT NOT NULL,"
	" level TEXT NOT NULL,"
	" PRIMARY KEY (treatment, factor)) WITHOUT ROWID;"

	"CREATE TABLE run ("
	" id INTEGER PRIMARY KEY,"
	" campaign INTEGER NOT NULL REFERENCES campaign (id),"
	" key TEXT NOT NULL,"
	" benchmark TEXT NOT NULL,"
	" treatment INTEGER NOT NULL REFERENCES treatment (id),"
	" replicate INTEGER NOT NULL,"
	" host TEXT NOT NULL,"
	" position INTEGER NOT NULL,"
	" UNIQUE (campaign, key));"

	"CREATE TABLE attempt ("
	" id INTEGER PRIMARY KEY,"
	" run INTEGER NOT NULL REFERENCES run (id),"
	" session INTEGER NOT NULL REFERENCES session (id),"
	" host TEXT NOT NULL,"
	" token TEXT NOT NULL,"
	" started INTEGER NOT NULL);" /* the controller's clock */
	"CREATE INDEX attempt_run ON attempt (run);"

	"CREATE TABLE outcome ("
	" attempt INTEGER PRIMARY KEY REFERENCES attempt (id),"
	" outcome TEXT NOT NULL CHECK (outcome IN"
	"  ('ok', 'failed', 'timeout', 'invalid', 'lost', 'stopped')),"
	" reason TEXT,"
	" exit_status INTEGER,"
	" started INTEGER,"   /* the host's clock */
	" duration REAL,"     /* seconds, the host's monotonic clock */
	" ended INTEGER NOT NULL);" /* the controller's clock */

	"CREATE TABLE response ("
	" id INTEGER PRIMARY KEY,"
	" campaign INTEGER NOT NULL REFERENCES campaign (id),"
	" benchmark TEXT NOT NULL,"
	" name TEXT NOT NULL,"
	" uom TEXT NOT NULL,"
	" better TEXT NOT NULL CHECK (better IN ('', 'higher', 'lower')),"
	" UNIQUE (campaign, benchmark, name, uom, better));"
	"CREATE TABLE observation ("
	" response INTEGER NOT NULL REFERENCES response (id),"
	" attempt INTEGER NOT NULL REFERENCES attempt (id),"
	" sequence INTEGER NOT NULL,"
	" value REAL NOT NULL,"
	" PRIMARY KEY (response, attempt, sequence)) WITHOUT ROWID;"

	"CREATE TABLE content ("
	" id INTEGER PRIMARY KEY,"
	" sha256 TEXT NOT NULL UNIQUE," /* of the bytes, not of `data` */
	" size INTEGER NOT NULL,"
	" encoding TEXT NOT NULL CHECK (encoding IN ('plain', 'zstd')),"
	" data BLOB NOT NULL);"
	"CREATE TABLE output ("
	" attempt INTEGER NOT NULL REFERENCES attempt (id),"
	" stream TEXT NOT NULL CHECK (stream IN ('stdout', 'stderr')),"
	" head INTEGER REFERENCES content (id),"
	" tail INTEGER REFERENCES content (id),"
	" truncated INTEGER NOT NULL,"
	" PRIMARY KEY (attempt, stream)) WITHOUT ROWID;"
	"CREATE TABLE evidence ("
	" id INTEGER PRIMARY KEY,"
	" attempt INTEGER NOT NULL REFERENCES attempt (id),"
	" host TEXT NOT NULL,"
	" factor TEXT,"
	" level TEXT,"
	" phase TEXT NOT NULL,"
	" exit_status INTEGER,"
	" content INTEGER REFERENCES content (id),"
	" recorded INTEGER NOT NULL);"
	"CREATE INDEX evidence_attempt ON evidence (attempt);"

	"CREATE TABLE host_fact ("
	" id INTEGER PRIMARY KEY,"
	" session INTEGER NOT NULL REFERENCES session (id),"
	" host TEXT NOT NULL,"
	" key TEXT NOT NULL,"
	" value TEXT NOT NULL);"
	"CREATE INDEX host_fact_session ON host_fact (session);"

	"CREATE TABLE saved_state ("
	" id INTEGER PRIMARY KEY,"
	" campaign INTEGER NOT NULL REFERENCES campaign (id),"
	" host TEXT NOT NULL,"
	" target TEXT NOT NULL,"
	" factor TEXT NOT NULL,"
	" level TEXT NOT NULL,"
	" saved TEXT NOT NULL,"
	" revert TEXT NOT NULL,"
	" timeout REAL NOT NULL,"
	" recorded INTEGER NOT NULL);"
	"CREATE TABLE reverted ("
	" state INTEGER PRIMARY KEY REFERENCES saved_state (id),"
	" recorded INTEGER NOT NULL);"

	/* the attempt that counts for a run: its newest that settled it */
	"CREATE VIEW settled AS"
	" SELECT a.run AS run, max(a.id) AS attempt"
	" FROM attempt AS a JOIN outcome AS o ON o.attempt = a.id"
	" WHERE o.outcome IN " SETTLING
	" GROUP BY a.run;"
	"CREATE VIEW result AS"
	" SELECT r.campaign AS campaign, r.benchmark AS benchmark,"
	"  t.key AS treatment, r.replicate AS replicate, a.host AS host,"
	"  r.key AS run, a.id AS attempt, o.outcome AS outcome,"
	"  p.name AS response, b.sequence AS sequence, b.value AS value,"
	"  p.uom AS uom"
	" FROM settled AS s"
	" JOIN run AS r ON r.id = s.run"
	" JOIN treatment AS t ON t.id = r.treatment"
	" JOIN attempt AS a ON a.id = s.attempt"
	" JOIN outcome AS o ON o.attempt = s.attempt"
	" LEFT JOIN response AS p ON p.campaign = r.campaign"
	"  AND p.benchmark = r.benchmark"
	" LEFT JOIN observation AS b ON b.response = p.id"
	"  AND b.attempt = s.attempt;";

static const char *const append_only_1[] = {
	"campaign", "session", "treatment", "treatment_level", "run",
	"attempt", "outcome", "response", "observation", "content", "output",
	"evidence", "host_fact", "saved_state", "reverted", NULL,
};

/* Which part of the plan a session was asked for. */
static const char format_2[] =
	"ALTER TABLE session ADD COLUMN profiles TEXT;"
	"ALTER TABLE session ADD COLUMN tags TEXT;"
	"ALTER TABLE session ADD COLUMN narrowing TEXT;";

/* Where a campaign's directory is gone. Of what ended before this was recorded
 * that is taken for granted: else every host of old would be called on. */
static const char format_3[] =
	"CREATE TABLE swept ("
	" id INTEGER PRIMARY KEY,"
	" campaign INTEGER NOT NULL REFERENCES campaign (id),"
	" host TEXT NOT NULL,"
	" attempt INTEGER NOT NULL REFERENCES attempt (id),"
	" recorded INTEGER NOT NULL);"
	"CREATE INDEX swept_place ON swept (campaign, host);"
	"INSERT INTO swept (campaign, host, attempt, recorded)"
	" SELECT r.campaign, a.host, max(a.id), max(o.ended)"
	" FROM attempt AS a JOIN run AS r ON r.id = a.run"
	" JOIN outcome AS o ON o.attempt = a.id"
	" GROUP BY r.campaign, a.host;";

static const char *const append_only_3[] = { "swept", NULL };

const struct schema_step schema_steps[] = {
	{ .sql = format_1, .append_only = append_only_1 },
	{ .sql = format_2 },
	{ .sql = format_3, .append_only = append_only_3 },
};
const size_t schema_n_steps = sizeof(schema_steps) / sizeof(schema_steps[0]);

int schema_identify(struct db *db, size_t n_steps, size_t *format,
		    struct error *err)
{
	int64_t application = 0, version = 0, objects = 0;

	if (db_int(db, &application, "PRAGMA application_id", BIND_NONE,
		   err) < 0 ||
	    db_int(db, &version, "PRAGMA user_version", BIND_NONE, err) < 0 ||
	    db_int(db, &objects, "SELECT count(*) FROM sqlite_schema",
		   BIND_NONE, err) < 0)
		return -1;
	*format = 0;
	if (!application && !version && !objects)
		return 1;
	if (application != SCHEMA_APPLICATION_ID || version < 1)
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: an SQLite file of another program, not "
				 "results of assay: move it away", db->path);
	if ((uint64_t)version > n_steps)
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: made by a newer assay (format %lld, this "
				 "one knows %zu): use that version", db->path,
				 (long long)version, n_steps);
	*format = (size_t)version;
	return 0;
}

static int run_script(struct db *db, const char *sql, struct error *err)
{
	int rc = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : fault_set(db, rc, err);
}

static int add_triggers(struct db *db, const char *table, struct error *err)
{
	static const char *const verbs[] = { "update", "delete" };
	int rc = 0;

	for (size_t i = 0; !rc && i < 2; i++) {
		char *sql = mem_printf(
			"CREATE TRIGGER %s_no_%s BEFORE %s ON %s BEGIN"
			" SELECT RAISE(ABORT, 'append-only'); END", table,
			verbs[i], verbs[i], table);

		rc = run_script(db, sql, err);
		free(sql);
	}
	return rc;
}

static int make_step(struct db *db, const struct schema_step *step,
		     size_t format, struct error *err)
{
	const char *const *table = step->append_only;
	char mark[120];
	int rc;

	snprintf(mark, sizeof(mark),
		 "PRAGMA application_id = %d; PRAGMA user_version = %zu",
		 SCHEMA_APPLICATION_ID, format);
	if (db_begin(db, err) < 0)
		return -1;
	rc = run_script(db, step->sql, err);
	for (; !rc && table && *table; table++)
		rc = add_triggers(db, *table, err);
	if (!rc)
		rc = run_script(db, mark, err);
	return db_commit(db, rc, err);
}

int schema_migrate(struct db *db, const struct schema_step *steps,
		   size_t n_steps, struct error *err)
{
	size_t format;

	if (schema_identify(db, n_steps, &format, err) < 0)
		return -1;
	for (; format < n_steps; format++) {
		if (make_step(db, &steps[format], format + 1, err) < 0)
			return -1;
	}
	return 0;
}
