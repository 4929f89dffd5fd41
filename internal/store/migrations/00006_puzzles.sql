-- SPDX-License-Identifier: Apache-2.0
-- Training: tries at puzzles with the person's rating after each, the ratings of puzzles that were moved, the puzzles that
-- come again, and those that were made of a person's own games. See docs/formats/store.md.

-- +goose Up
CREATE TABLE puzzle_tries (
	id INTEGER PRIMARY KEY,
	puzzle TEXT NOT NULL,
	game TEXT NOT NULL,
	theme TEXT NOT NULL,
	score REAL NOT NULL CHECK (score BETWEEN 0 AND 1),
	rated INTEGER NOT NULL,
	rating REAL NOT NULL,
	deviation REAL NOT NULL,
	volatility REAL NOT NULL,
	at INTEGER NOT NULL
);
CREATE INDEX puzzle_tries_puzzle ON puzzle_tries (puzzle);
CREATE TABLE puzzle_grades (
	puzzle TEXT PRIMARY KEY,
	rating REAL NOT NULL,
	deviation REAL NOT NULL,
	volatility REAL NOT NULL
);
CREATE TABLE puzzle_repeats (
	puzzle TEXT PRIMARY KEY,
	step INTEGER NOT NULL,
	due INTEGER NOT NULL
);
CREATE TABLE puzzle_own (
	puzzle TEXT PRIMARY KEY,
	data TEXT NOT NULL,
	at INTEGER NOT NULL
);

-- +goose Down
DROP TABLE puzzle_own;
DROP TABLE puzzle_repeats;
DROP TABLE puzzle_grades;
DROP TABLE puzzle_tries;
