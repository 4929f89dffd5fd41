-- SPDX-License-Identifier: Apache-2.0
-- An index of the explorer's games. places keeps the numbers of all games of a position, and marks those of the games of an
-- outcome, a year or a player, so that a filter intersects lists. Games that were kept before are counted again by their keys,
-- which SQL cannot compute: those with indexed = 0.

-- +goose Up
CREATE TABLE marks (
	kind       TEXT    NOT NULL,
	value      NOT NULL,
	collection INTEGER NOT NULL,
	games      BYTEA   NOT NULL,
	PRIMARY KEY (kind, value, collection)
) WITHOUT ROWID;

DELETE FROM places;
ALTER TABLE collected ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX collected_to_index ON collected (id) WHERE indexed = 0;

-- +goose Down
DROP INDEX collected_to_index;
ALTER TABLE collected DROP COLUMN indexed;
DROP TABLE marks;
