-- SPDX-License-Identifier: Apache-2.0
-- Bots that are programs on the machines of their authors, each with the hash of the token by which it connects.

-- +goose Up
CREATE TABLE away_bots (
	name TEXT PRIMARY KEY COLLATE NOCASE,
	author TEXT NOT NULL,
	token BLOB NOT NULL UNIQUE,
	created INTEGER NOT NULL
);

-- +goose Down
DROP TABLE away_bots;
