-- state.db as it was written in its form 3.
BEGIN TRANSACTION;
CREATE TABLE active_ranges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lock TEXT NOT NULL,
  kind TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  since TEXT NOT NULL,
  sink TEXT NOT NULL,
  source TEXT NOT NULL,
  cursor TEXT,
  cursor_type TEXT,
  range_from TEXT,
  from_inclusive INTEGER,
  range_to TEXT) STRICT
;
CREATE TABLE backfill_chunks (
  project TEXT NOT NULL,
  backfill_id TEXT NOT NULL,
  chunk_id TEXT NOT NULL,
  chunk_from TEXT NOT NULL,
  chunk_to TEXT NOT NULL,
  status TEXT NOT NULL,
  claimed_by TEXT,
  claimed_at TEXT,
  attempts INTEGER NOT NULL,
  started_at TEXT,
  completed_at TEXT,
  records_loaded INTEGER,
  run_id TEXT NOT NULL,
  error TEXT,
  PRIMARY KEY (project, backfill_id, chunk_id)) STRICT, WITHOUT ROWID
;
CREATE TABLE backfill_inputs (
  project TEXT NOT NULL,
  backfill_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (project, backfill_id, number)) STRICT
;
CREATE TABLE backfills (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT NOT NULL,
  backfill_id TEXT NOT NULL,
  pipeline TEXT NOT NULL,
  range_from TEXT NOT NULL,
  range_to TEXT NOT NULL,
  chunk TEXT NOT NULL,
  cursor TEXT NOT NULL,
  cursor_type TEXT NOT NULL,
  zone TEXT NOT NULL,
  into_connection TEXT,
  fingerprint TEXT NOT NULL,
  restart INTEGER NOT NULL,
  chunks INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  command TEXT NOT NULL,
  UNIQUE (project, backfill_id)) STRICT
;
CREATE TABLE edit_positions (edit_id INTEGER NOT NULL, number INTEGER NOT NULL, side TEXT NOT NULL, pipeline TEXT NOT NULL, sink TEXT NOT NULL,  cursor TEXT NOT NULL,
  cursor_type TEXT NOT NULL,
  generation INTEGER NOT NULL,
  generation_start TEXT,
  value TEXT,
  stood TEXT,
  run_id TEXT NOT NULL,
  at TEXT NOT NULL
, PRIMARY KEY (edit_id, number, side)) STRICT;
INSERT INTO "edit_positions" VALUES(1,1,'before','orders_out','lake.orders_synced','id','bigint',0,NULL,'10',NULL,'r1','2026-09-02T09:15:00.118Z');
INSERT INTO "edit_positions" VALUES(1,1,'after','orders_out','lake.orders_synced','id','bigint',7,'5','5','10','e1','2026-09-02T09:15:00.118Z');
CREATE TABLE edits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT NOT NULL,
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  reason TEXT NOT NULL,
  who TEXT NOT NULL,
  at TEXT NOT NULL) STRICT
;
INSERT INTO "edits" VALUES(1,'shop','pg_prod.public.orders','set','replica was restored','kim','2026-09-02T09:15:00.118Z');
CREATE TABLE holders (
  lock TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  since TEXT NOT NULL) STRICT
;
CREATE TABLE position_history (id INTEGER PRIMARY KEY AUTOINCREMENT,  project TEXT NOT NULL,
  source TEXT NOT NULL,
  pipeline TEXT NOT NULL,
  sink TEXT NOT NULL,
  cursor TEXT NOT NULL,
  cursor_type TEXT NOT NULL,
  generation INTEGER NOT NULL,
  generation_start TEXT,
  value TEXT,
  stood TEXT,
  run_id TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT;
INSERT INTO "position_history" VALUES(1,'shop','pg_prod.public.orders','orders_out','lake.orders_synced','id','bigint',0,NULL,'10',NULL,'r1','2026-09-02T09:15:00.118Z');
INSERT INTO "position_history" VALUES(2,'shop','pg_prod.public.orders','orders_out','lake.orders_synced','id','bigint',7,'5','5','10','e1','2026-09-02T09:15:00.118Z');
CREATE TABLE positions (  project TEXT NOT NULL,
  source TEXT NOT NULL,
  pipeline TEXT NOT NULL,
  sink TEXT NOT NULL,
  cursor TEXT NOT NULL,
  cursor_type TEXT NOT NULL,
  generation INTEGER NOT NULL,
  generation_start TEXT,
  value TEXT,
  stood TEXT,
  run_id TEXT NOT NULL,
  at TEXT NOT NULL
, pruned_through INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (project, source, pipeline, sink)) STRICT;
INSERT INTO "positions" VALUES('shop','pg_prod.public.orders','orders_out','lake.orders_synced','id','bigint',7,'5','5','10','e1','2026-09-02T09:15:00.118Z',0);
CREATE TABLE refreshes (
  project TEXT NOT NULL,
  source TEXT NOT NULL,
  number INTEGER NOT NULL,
  sink TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (project, source, number, sink)) STRICT
;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id TEXT NOT NULL UNIQUE,
  project TEXT NOT NULL,
  command TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  status TEXT NOT NULL,
  passes INTEGER,
  exit_code INTEGER,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  succeeded INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  slot INTEGER,
  history_id INTEGER, trigger TEXT NOT NULL DEFAULT 'run', backfill_id TEXT, chunk_run_id TEXT) STRICT
;
INSERT INTO "runs" VALUES(1,'r1','shop','run --all','2026-09-02T09:15:00.118Z','2026-09-02T09:15:05.118Z','success',1,0,'box',4242,1,0,0,10,0,1,'run',NULL,NULL);
INSERT INTO "runs" VALUES(3,'r2','shop','run --all','2026-09-02T09:15:09.118Z',NULL,'running',NULL,NULL,'box',4242,0,0,0,0,0,1,'run',NULL,NULL);
CREATE TABLE settled (
  project TEXT NOT NULL,
  source TEXT NOT NULL,
  cursor TEXT NOT NULL,
  cursor_type TEXT NOT NULL,
  value TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (project, source)) STRICT
;
INSERT INTO "settled" VALUES('shop','pg_prod.public.orders','id','bigint','8','2026-09-02T09:15:00.118Z');
CREATE TABLE stretches (id INTEGER PRIMARY KEY AUTOINCREMENT,  project TEXT NOT NULL,
  source TEXT NOT NULL,
  pipeline TEXT NOT NULL,
  sink TEXT NOT NULL,
  generation INTEGER NOT NULL,
  cursor TEXT NOT NULL,
  cursor_type TEXT NOT NULL,
  range_from TEXT,
  from_inclusive INTEGER NOT NULL,
  range_to TEXT NOT NULL,
  first_run TEXT NOT NULL,
  last_run TEXT NOT NULL,
  first_at TEXT NOT NULL,
  last_at TEXT NOT NULL,
  slices INTEGER NOT NULL,
  rows INTEGER NOT NULL) STRICT
;
CREATE INDEX position_history_by_key ON position_history (project, source, pipeline, sink, id);
CREATE INDEX position_history_by_run ON position_history (run_id);
CREATE INDEX active_ranges_by_place ON active_ranges (sink, source);
CREATE INDEX active_ranges_by_lock ON active_ranges (lock);
CREATE INDEX stretches_by_key ON stretches (project, source, pipeline, sink, generation, id);
CREATE INDEX runs_by_backfill ON runs (backfill_id, id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('runs',3);
INSERT INTO "sqlite_sequence" VALUES('position_history',2);
INSERT INTO "sqlite_sequence" VALUES('edits',1);
COMMIT;
PRAGMA application_id = 2003134834;
PRAGMA user_version = 3;
