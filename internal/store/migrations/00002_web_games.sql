-- SPDX-License-Identifier: Apache-2.0
-- Games at the web's board. start is empty or a position as links have it, first and second are specs of players,
-- moves are in the game's notation with a space between two, plies is how many.

-- +goose Up
CREATE TABLE web_games (
	id      TEXT    PRIMARY KEY,
	game    TEXT    NOT NULL,
	start   TEXT    NOT NULL,
	first   TEXT    NOT NULL,
	second  TEXT    NOT NULL,
	moves   TEXT    NOT NULL,
	plies   INTEGER NOT NULL,
	outcome TEXT    NOT NULL,
	reason  TEXT    NOT NULL,
	extra   TEXT    NOT NULL,
	created BIGINT  NOT NULL,
	updated BIGINT  NOT NULL
);

CREATE INDEX web_games_by_time ON web_games (updated, id);

-- +goose Down
DROP TABLE web_games;
