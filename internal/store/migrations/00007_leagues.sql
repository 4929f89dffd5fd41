-- SPDX-License-Identifier: Apache-2.0
-- Leagues. round is the last round that was begun. A member plays from round first to round last, or on where last is 0.
-- A season begins with round first. Games of a cup have its number, those of the table 0; points are half points of a.
-- The key of a game is its place in the plan, so that none is stored twice. See docs/reference/formats/store.md.

-- +goose Up
CREATE TABLE leagues (
	id      INTEGER PRIMARY KEY,
	name    TEXT    NOT NULL UNIQUE,
	game    TEXT    NOT NULL,
	terms   TEXT    NOT NULL,
	round   INTEGER NOT NULL,
	playing INTEGER NOT NULL,
	created BIGINT  NOT NULL
);

CREATE TABLE league_members (
	league INTEGER NOT NULL REFERENCES leagues (id) ON DELETE CASCADE,
	number INTEGER NOT NULL,
	name   TEXT    NOT NULL,
	spec   TEXT    NOT NULL,
	author TEXT    NOT NULL,
	boss   INTEGER NOT NULL,
	first  INTEGER NOT NULL,
	last   INTEGER NOT NULL,
	joined BIGINT  NOT NULL,
	PRIMARY KEY (league, number),
	UNIQUE (league, name)
);

CREATE TABLE league_seasons (
	league INTEGER NOT NULL REFERENCES leagues (id) ON DELETE CASCADE,
	number INTEGER NOT NULL,
	first  INTEGER NOT NULL,
	begun  BIGINT  NOT NULL,
	PRIMARY KEY (league, number)
);

CREATE TABLE league_cups (
	league  INTEGER NOT NULL REFERENCES leagues (id) ON DELETE CASCADE,
	number  INTEGER NOT NULL,
	kind    TEXT    NOT NULL,
	games   INTEGER NOT NULL,
	rounds  INTEGER NOT NULL,
	members TEXT    NOT NULL,
	begun   BIGINT  NOT NULL,
	PRIMARY KEY (league, number)
);

CREATE TABLE league_games (
	id      INTEGER PRIMARY KEY,
	league  INTEGER NOT NULL REFERENCES leagues (id) ON DELETE CASCADE,
	cup     INTEGER NOT NULL,
	round   INTEGER NOT NULL,
	a       INTEGER NOT NULL,
	b       INTEGER NOT NULL,
	leg     INTEGER NOT NULL,
	points  INTEGER NOT NULL,
	opening TEXT    NOT NULL,
	moves   TEXT    NOT NULL,
	outcome TEXT    NOT NULL,
	reason  TEXT    NOT NULL,
	forfeit INTEGER NOT NULL,
	played  BIGINT  NOT NULL,
	UNIQUE (league, cup, round, a, b, leg)
);

CREATE INDEX league_games_by_a ON league_games (league, a, id);
CREATE INDEX league_games_by_b ON league_games (league, b, id);

-- +goose Down
DROP TABLE league_games;
DROP TABLE league_cups;
DROP TABLE league_seasons;
DROP TABLE league_members;
DROP TABLE leagues;
