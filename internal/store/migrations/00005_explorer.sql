-- SPDX-License-Identifier: Apache-2.0
-- Games of the explorer. digest is a hash of rules, moves up to symmetry, players and result: equal games are kept once.
-- outcome counts as game.Outcome, 0 where the result is not known. origin is the ID of a game played here, or empty.
-- places has a row for each position of a collection's games: how many came to it by their result, and the numbers of
-- the first of them, as varints. key is that of package symmetry.

-- +goose Up
CREATE TABLE collections (
	id      INTEGER PRIMARY KEY,
	name    TEXT    NOT NULL UNIQUE,
	created BIGINT  NOT NULL,
	seen    BIGINT  NOT NULL
);

CREATE TABLE collected (
	id         INTEGER PRIMARY KEY,
	collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
	digest     BIGINT  NOT NULL UNIQUE,
	game       TEXT    NOT NULL,
	first      TEXT    NOT NULL,
	second     TEXT    NOT NULL,
	event      TEXT    NOT NULL,
	year       INTEGER NOT NULL,
	moves      TEXT    NOT NULL,
	outcome    INTEGER NOT NULL,
	origin     TEXT    NOT NULL
);

CREATE INDEX collected_by_collection ON collected (collection, origin);

CREATE TABLE places (
	key        BIGINT  NOT NULL,
	collection INTEGER NOT NULL,
	unknown    INTEGER NOT NULL,
	first      INTEGER NOT NULL,
	second     INTEGER NOT NULL,
	drawn      INTEGER NOT NULL,
	games      BYTEA   NOT NULL,
	PRIMARY KEY (key, collection)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE places;
DROP TABLE collected;
DROP TABLE collections;
