-- state.db as it was written in its form 2.
BEGIN TRANSACTION;
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
  history_id INTEGER) STRICT
;
INSERT INTO "runs" VALUES(1,'r1','shop','run --all','2026-09-02T09:15:00.118Z','2026-09-02T09:15:05.118Z','success',1,0,'box',4242,1,0,0,10,0,1);
INSERT INTO "runs" VALUES(3,'r2','shop','run --all','2026-09-02T09:15:09.118Z',NULL,'running',NULL,NULL,'box',4242,0,0,0,0,0,1);
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
CREATE INDEX position_history_by_key ON position_history (project, source, pipeline, sink, id);
CREATE INDEX position_history_by_run ON position_history (run_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('runs',3);
INSERT INTO "sqlite_sequence" VALUES('position_history',2);
INSERT INTO "sqlite_sequence" VALUES('edits',1);
COMMIT;
PRAGMA application_id = 2003134834;
PRAGMA user_version = 2;
