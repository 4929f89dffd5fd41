-- SPDX-License-Identifier: Apache-2.0
-- Times are milliseconds since 1970, truths are 0 and 1, specs and results are JSON.

-- +goose Up
CREATE TABLE runs (
	id      INTEGER PRIMARY KEY,
	kind    TEXT    NOT NULL,
	key     TEXT    NOT NULL,
	spec    TEXT    NOT NULL,
	state   BYTEA,
	step    BIGINT  NOT NULL,
	steps   BIGINT  NOT NULL,
	done    INTEGER NOT NULL,
	created BIGINT  NOT NULL,
	updated BIGINT  NOT NULL,
	UNIQUE (kind, key)
);

CREATE TABLE points (
	run   INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
	step  BIGINT  NOT NULL,
	games BIGINT  NOT NULL,
	curve TEXT    NOT NULL,
	PRIMARY KEY (run, step)
);

CREATE TABLE cells (
	study   TEXT   NOT NULL,
	variant TEXT   NOT NULL,
	cell    TEXT   NOT NULL,
	result  TEXT   NOT NULL,
	updated BIGINT NOT NULL,
	PRIMARY KEY (study, variant, cell)
);

CREATE TABLE games (
	id      INTEGER PRIMARY KEY,
	run     INTEGER REFERENCES runs (id) ON DELETE CASCADE,
	game    TEXT    NOT NULL,
	first   TEXT    NOT NULL,
	second  TEXT    NOT NULL,
	moves   TEXT    NOT NULL,
	outcome TEXT    NOT NULL,
	reason  TEXT    NOT NULL,
	played  BIGINT  NOT NULL
);

CREATE INDEX games_by_run ON games (run, id);

-- +goose Down
DROP TABLE games;
DROP TABLE cells;
DROP TABLE points;
DROP TABLE runs;
