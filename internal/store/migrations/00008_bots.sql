-- SPDX-License-Identifier: Apache-2.0
-- Bots that were written in the workshop: their versions, and the texts of these, each of which is stored once. See
-- docs/reference/formats/store.md.

-- +goose Up
CREATE TABLE bots (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE COLLATE NOCASE,
	author TEXT NOT NULL,
	kind TEXT NOT NULL CHECK (kind IN ('starlark', 'wasm')),
	published INTEGER NOT NULL DEFAULT 0,
	created INTEGER NOT NULL,
	updated INTEGER NOT NULL
);
CREATE TABLE bot_texts (
	hash BLOB PRIMARY KEY,
	text BLOB NOT NULL
);
CREATE TABLE bot_versions (
	bot INTEGER NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
	version INTEGER NOT NULL CHECK (version > 0),
	hash BLOB NOT NULL REFERENCES bot_texts (hash),
	size INTEGER NOT NULL,
	kept INTEGER NOT NULL DEFAULT 0,
	at INTEGER NOT NULL,
	PRIMARY KEY (bot, version)
);
CREATE INDEX bot_versions_hash ON bot_versions (hash);

-- +goose Down
DROP TABLE bot_versions;
DROP TABLE bot_texts;
DROP TABLE bots;
