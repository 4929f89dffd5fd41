-- SPDX-License-Identifier: Apache-2.0
-- Games between people, their ratings, challenges and tournaments. A person is a member, or 0 and the key of a guest. See
-- docs/reference/formats/store.md.

-- +goose Up
CREATE TABLE meetings (
	game         TEXT    PRIMARY KEY REFERENCES web_games (id) ON DELETE CASCADE,
	pool         TEXT    NOT NULL,
	rated        INTEGER NOT NULL,
	first        INTEGER NOT NULL,
	first_guest  TEXT    NOT NULL,
	first_name   TEXT    NOT NULL,
	second       INTEGER NOT NULL,
	second_guest TEXT    NOT NULL,
	second_name  TEXT    NOT NULL,
	tournament   INTEGER NOT NULL,
	round        INTEGER NOT NULL,
	place        INTEGER NOT NULL,
	outcome      TEXT    NOT NULL,
	first_gain   REAL    NOT NULL,
	second_gain  REAL    NOT NULL,
	begun        BIGINT  NOT NULL,
	ended        BIGINT  NOT NULL
);
CREATE INDEX meetings_by_first ON meetings (first, first_guest, begun);
CREATE INDEX meetings_by_second ON meetings (second, second_guest, begun);
CREATE INDEX meetings_by_outcome ON meetings (outcome, begun);
CREATE UNIQUE INDEX meetings_by_tournament ON meetings (tournament, round, place) WHERE tournament > 0;

CREATE TABLE ratings (
	member     INTEGER NOT NULL,
	pool       TEXT    NOT NULL,
	rating     REAL    NOT NULL,
	deviation  REAL    NOT NULL,
	volatility REAL    NOT NULL,
	games      INTEGER NOT NULL,
	at         BIGINT  NOT NULL,
	PRIMARY KEY (member, pool)
);

CREATE TABLE challenges (
	id      TEXT    PRIMARY KEY,
	member  INTEGER NOT NULL,
	guest   TEXT    NOT NULL,
	name    TEXT    NOT NULL,
	invited INTEGER NOT NULL,
	listed  INTEGER NOT NULL,
	terms   TEXT    NOT NULL,
	game    TEXT    NOT NULL,
	created BIGINT  NOT NULL
);
CREATE INDEX challenges_by_time ON challenges (game, created);

CREATE TABLE tournaments (
	id      INTEGER PRIMARY KEY,
	name    TEXT    NOT NULL,
	terms   TEXT    NOT NULL,
	member  INTEGER NOT NULL,
	guest   TEXT    NOT NULL,
	rounds  TEXT    NOT NULL,
	version INTEGER NOT NULL,
	created BIGINT  NOT NULL,
	begun   BIGINT  NOT NULL,
	ended   BIGINT  NOT NULL
);
CREATE TABLE tournament_players (
	tournament INTEGER NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
	number     INTEGER NOT NULL,
	member     INTEGER NOT NULL,
	guest      TEXT    NOT NULL,
	name       TEXT    NOT NULL,
	gone       INTEGER NOT NULL,
	PRIMARY KEY (tournament, number),
	UNIQUE (tournament, member, guest)
);

CREATE TABLE served (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	at BIGINT  NOT NULL
);

-- +goose Down
DROP TABLE served;
DROP TABLE tournament_players;
DROP TABLE tournaments;
DROP TABLE challenges;
DROP TABLE ratings;
DROP TABLE meetings;
