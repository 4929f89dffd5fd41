-- SPDX-License-Identifier: Apache-2.0
-- The people of a server, how they prove who they are, and whose the things are. See docs/reference/formats/store.md.

-- +goose Up
CREATE TABLE members (
	id       INTEGER PRIMARY KEY,
	name     TEXT    NOT NULL,
	name_key TEXT    UNIQUE,
	role     TEXT    NOT NULL,
	password TEXT    NOT NULL DEFAULT '',
	banned   TEXT    NOT NULL DEFAULT '',
	created  BIGINT  NOT NULL,
	removed  BIGINT
);
INSERT INTO members (id, name, name_key, role, created) VALUES (1, 'owner', 'owner', 'owner', 0);

CREATE TABLE sessions (
	hash    BLOB    PRIMARY KEY,
	member  INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	browser TEXT    NOT NULL,
	address TEXT    NOT NULL,
	created BIGINT  NOT NULL,
	seen    BIGINT  NOT NULL
);
CREATE INDEX sessions_by_member ON sessions (member);

CREATE TABLE member_links (
	hash    BLOB    PRIMARY KEY,
	member  INTEGER REFERENCES members (id) ON DELETE CASCADE,
	role    TEXT    NOT NULL,
	note    TEXT    NOT NULL,
	maker   INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	created BIGINT  NOT NULL,
	expires BIGINT  NOT NULL
);

CREATE TABLE passkeys (
	id      BLOB    PRIMARY KEY,
	member  INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	key     BLOB    NOT NULL,
	counter INTEGER NOT NULL,
	created BIGINT  NOT NULL,
	seen    BIGINT  NOT NULL
);
CREATE INDEX passkeys_by_member ON passkeys (member);

CREATE TABLE audit (
	id     INTEGER PRIMARY KEY,
	at     BIGINT  NOT NULL,
	member INTEGER NOT NULL,
	name   TEXT    NOT NULL,
	action TEXT    NOT NULL,
	what   TEXT    NOT NULL
);

ALTER TABLE web_games ADD COLUMN owner INTEGER;
ALTER TABLE web_games ADD COLUMN guest TEXT NOT NULL DEFAULT '';
ALTER TABLE web_games ADD COLUMN visibility TEXT NOT NULL DEFAULT 'link';
CREATE INDEX web_games_by_owner ON web_games (owner, guest, updated);
ALTER TABLE runs ADD COLUMN owner INTEGER;
ALTER TABLE games ADD COLUMN owner INTEGER;
ALTER TABLE leagues ADD COLUMN owner INTEGER;
ALTER TABLE league_members ADD COLUMN owner INTEGER;
ALTER TABLE collections ADD COLUMN owner INTEGER;
ALTER TABLE puzzle_tries ADD COLUMN owner INTEGER;
CREATE INDEX puzzle_tries_by_owner ON puzzle_tries (owner, id);

CREATE TABLE puzzle_repeats_of (
	owner  INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	puzzle TEXT    NOT NULL,
	step   INTEGER NOT NULL,
	due    INTEGER NOT NULL,
	PRIMARY KEY (owner, puzzle)
);
INSERT INTO puzzle_repeats_of SELECT 1, puzzle, step, due FROM puzzle_repeats;
DROP TABLE puzzle_repeats;
ALTER TABLE puzzle_repeats_of RENAME TO puzzle_repeats;

CREATE TABLE puzzle_own_of (
	owner  INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	puzzle TEXT    NOT NULL,
	data   TEXT    NOT NULL,
	at     INTEGER NOT NULL,
	PRIMARY KEY (owner, puzzle)
);
INSERT INTO puzzle_own_of SELECT 1, puzzle, data, at FROM puzzle_own;
DROP TABLE puzzle_own;
ALTER TABLE puzzle_own_of RENAME TO puzzle_own;

-- +goose Down
DROP TABLE puzzle_own;
CREATE TABLE puzzle_own (
	puzzle TEXT PRIMARY KEY,
	data TEXT NOT NULL,
	at INTEGER NOT NULL
);
DROP TABLE puzzle_repeats;
CREATE TABLE puzzle_repeats (
	puzzle TEXT PRIMARY KEY,
	step INTEGER NOT NULL,
	due INTEGER NOT NULL
);
DROP INDEX puzzle_tries_by_owner;
ALTER TABLE puzzle_tries DROP COLUMN owner;
ALTER TABLE collections DROP COLUMN owner;
ALTER TABLE league_members DROP COLUMN owner;
ALTER TABLE leagues DROP COLUMN owner;
ALTER TABLE games DROP COLUMN owner;
ALTER TABLE runs DROP COLUMN owner;
DROP INDEX web_games_by_owner;
ALTER TABLE web_games DROP COLUMN visibility;
ALTER TABLE web_games DROP COLUMN guest;
ALTER TABLE web_games DROP COLUMN owner;
DROP TABLE audit;
DROP TABLE passkeys;
DROP TABLE member_links;
DROP TABLE sessions;
DROP TABLE members;
