-- SPDX-License-Identifier: Apache-2.0
-- The tables of the store. docs/reference/formats/store.md describes their columns.
--
-- Times are milliseconds since 1970, truths are 0 and 1, specs, curves and results are JSON. Moves are in the game's notation with
-- a space between two. A person is a member, or 0 and the key of a guest.

-- +goose Up
-- The people of a server, and how they prove who they are. Member 1 is the person of a server that has one.
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
INSERT INTO members (id, name, name_key, role, created) VALUES (1, 'owner', 'owner', 'owner', 1000 * unixepoch());

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
	id         BLOB    PRIMARY KEY,
	member     INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	handle     BLOB    NOT NULL,
	name       TEXT    NOT NULL,
	credential BLOB    NOT NULL,
	counter    INTEGER NOT NULL,
	created    BIGINT  NOT NULL,
	seen       BIGINT  NOT NULL
);
CREATE INDEX passkeys_by_member ON passkeys (member);

-- Browsers in which members have logged in.
CREATE TABLE devices (
	member  INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	browser TEXT    NOT NULL,
	seen    BIGINT  NOT NULL,
	PRIMARY KEY (member, browser)
);

-- The audit log. It keeps apart the changes that members made to their own accounts (own).
CREATE TABLE audit (
	id      INTEGER PRIMARY KEY,
	at      BIGINT  NOT NULL,
	member  INTEGER NOT NULL,
	name    TEXT    NOT NULL,
	action  TEXT    NOT NULL,
	what    TEXT    NOT NULL,
	about   INTEGER NOT NULL DEFAULT 0,
	own     INTEGER NOT NULL DEFAULT 0,
	address TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX audit_by_age ON audit (own, at);
CREATE INDEX audit_by_member ON audit (member, own, id);

-- Long work that can be resumed, with its curve.
CREATE TABLE runs (
	id         INTEGER PRIMARY KEY,
	kind       TEXT    NOT NULL,
	key        TEXT    NOT NULL,
	spec       TEXT    NOT NULL,
	state      BYTEA,
	step       BIGINT  NOT NULL,
	steps      BIGINT  NOT NULL,
	done       INTEGER NOT NULL,
	created    BIGINT  NOT NULL,
	updated    BIGINT  NOT NULL,
	owner      INTEGER NOT NULL DEFAULT 0,
	visibility TEXT    NOT NULL DEFAULT 'public',
	UNIQUE (kind, key)
);

CREATE TABLE points (
	run   INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
	step  BIGINT  NOT NULL,
	games BIGINT  NOT NULL,
	curve TEXT    NOT NULL,
	PRIMARY KEY (run, step)
);

CREATE TABLE pieces (
	key     TEXT   PRIMARY KEY,
	value   TEXT   NOT NULL,
	updated BIGINT NOT NULL
);

-- Leagues. round is the last round that was begun. A member plays from round first to round last, or on where last is 0.
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
	first  INTEGER NOT NULL,
	last   INTEGER NOT NULL,
	joined BIGINT  NOT NULL,
	PRIMARY KEY (league, number),
	UNIQUE (league, name)
);

-- Games that are played here: those of a run, those of a league, and those at the board, which have neither. start is empty or a position as links have it,
-- first and second are specs of players, or names of members of the league, plies is the number of moves, opening how many of them were given. The columns from pool on are about games in which people have
-- seats; pool is empty for the others.
CREATE TABLE games (
	number        INTEGER PRIMARY KEY,
	id            TEXT    NOT NULL UNIQUE,
	run           INTEGER REFERENCES runs (id) ON DELETE CASCADE,
	league        INTEGER REFERENCES leagues (id) ON DELETE CASCADE,
	game          TEXT    NOT NULL,
	start         TEXT    NOT NULL,
	first         TEXT    NOT NULL,
	second        TEXT    NOT NULL,
	moves         TEXT    NOT NULL,
	plies         INTEGER NOT NULL,
	opening       INTEGER NOT NULL,
	outcome       TEXT    NOT NULL,
	reason        TEXT    NOT NULL,
	extra         TEXT    NOT NULL,
	owner         INTEGER NOT NULL,
	guest         TEXT    NOT NULL,
	visibility    TEXT    NOT NULL,
	created       BIGINT  NOT NULL,
	updated       BIGINT  NOT NULL,
	pool          TEXT    NOT NULL,
	rated         INTEGER NOT NULL,
	first_member  INTEGER NOT NULL,
	first_guest   TEXT    NOT NULL,
	first_name    TEXT    NOT NULL,
	second_member INTEGER NOT NULL,
	second_guest  TEXT    NOT NULL,
	second_name   TEXT    NOT NULL,
	tournament    INTEGER NOT NULL,
	round         INTEGER NOT NULL,
	place         INTEGER NOT NULL,
	first_gain    REAL    NOT NULL,
	second_gain   REAL    NOT NULL,
	ended         BIGINT  NOT NULL
);
CREATE INDEX games_by_run ON games (run, number);
CREATE INDEX games_by_time ON games (updated, id) WHERE run IS NULL AND league IS NULL;
CREATE INDEX games_by_owner ON games (owner, guest, updated) WHERE run IS NULL AND league IS NULL;
CREATE INDEX games_by_league ON games (league, number) WHERE league IS NOT NULL;
CREATE UNIQUE INDEX games_by_plan ON games (league, round, first, second) WHERE league IS NOT NULL;
CREATE INDEX games_with_drawings ON games (number) WHERE league IS NOT NULL AND extra <> '';
CREATE INDEX games_by_first ON games (first_member, first_guest, created) WHERE pool <> '';
CREATE INDEX games_by_second ON games (second_member, second_guest, created) WHERE pool <> '';
CREATE INDEX games_by_outcome ON games (outcome, created) WHERE pool <> '';
CREATE UNIQUE INDEX games_by_tournament ON games (tournament, round, place) WHERE tournament > 0;

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
	terms   TEXT    NOT NULL,
	member  INTEGER NOT NULL,
	guest   TEXT    NOT NULL,
	name    TEXT    NOT NULL,
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

-- When games between people were last served.
CREATE TABLE served (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	at BIGINT  NOT NULL
);

-- Training: tries at puzzles with the person's rating after each, the ratings of puzzles that were moved, the puzzles that come
-- again, and the puzzles that were made of a person's own games.
CREATE TABLE puzzle_tries (
	id         INTEGER PRIMARY KEY,
	puzzle     TEXT    NOT NULL,
	game       TEXT    NOT NULL,
	theme      TEXT    NOT NULL,
	score      REAL    NOT NULL CHECK (score BETWEEN 0 AND 1),
	rated      INTEGER NOT NULL,
	rating     REAL    NOT NULL,
	deviation  REAL    NOT NULL,
	volatility REAL    NOT NULL,
	at         INTEGER NOT NULL,
	owner      INTEGER NOT NULL
);
CREATE INDEX puzzle_tries_puzzle ON puzzle_tries (puzzle);
CREATE INDEX puzzle_tries_by_owner ON puzzle_tries (owner, id);

CREATE TABLE puzzle_grades (
	puzzle     TEXT PRIMARY KEY,
	rating     REAL NOT NULL,
	deviation  REAL NOT NULL,
	volatility REAL NOT NULL
);

CREATE TABLE puzzle_repeats (
	owner  INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	puzzle TEXT    NOT NULL,
	step   INTEGER NOT NULL,
	due    INTEGER NOT NULL,
	PRIMARY KEY (owner, puzzle)
);

CREATE TABLE puzzle_own (
	owner  INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	puzzle TEXT    NOT NULL,
	data   TEXT    NOT NULL,
	at     INTEGER NOT NULL,
	PRIMARY KEY (owner, puzzle)
);

-- Studies: chapters, each a game with a tree of moves, as JSON. version grows with each change.
CREATE TABLE studies (
	id       TEXT    PRIMARY KEY,
	name     TEXT    NOT NULL,
	chapters TEXT    NOT NULL,
	owner    INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	version  INTEGER NOT NULL,
	created  BIGINT  NOT NULL,
	updated  BIGINT  NOT NULL
);
CREATE INDEX studies_by_owner ON studies (owner, updated);

-- Bots that were written in the workshop: their versions, and the texts of the versions, each of which is stored once.
CREATE TABLE bots (
	id        INTEGER PRIMARY KEY,
	name      TEXT    NOT NULL UNIQUE COLLATE NOCASE,
	author    TEXT    NOT NULL,
	kind      TEXT    NOT NULL CHECK (kind IN ('starlark', 'wasm')),
	published INTEGER NOT NULL DEFAULT 0,
	created   INTEGER NOT NULL,
	updated   INTEGER NOT NULL
);

CREATE TABLE bot_texts (
	hash BLOB PRIMARY KEY,
	text BLOB NOT NULL
);

CREATE TABLE bot_versions (
	bot     INTEGER NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
	version INTEGER NOT NULL CHECK (version > 0),
	hash    BLOB    NOT NULL REFERENCES bot_texts (hash),
	size    INTEGER NOT NULL,
	kept    INTEGER NOT NULL DEFAULT 0,
	at      INTEGER NOT NULL,
	PRIMARY KEY (bot, version)
);
CREATE INDEX bot_versions_hash ON bot_versions (hash);

-- Bots that are programs on the machines of their authors, each with the hash of the token by which it connects.
CREATE TABLE away_bots (
	name    TEXT    PRIMARY KEY COLLATE NOCASE,
	author  TEXT    NOT NULL,
	token   BLOB    NOT NULL UNIQUE,
	created INTEGER NOT NULL
);

-- Games of the explorer. digest is a hash of rules, moves up to symmetry, players and result: equal games are kept once.
-- outcome counts as game.Outcome, 0 where the result is not known. origin is the ID of a game played here, or empty.
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

-- An index of the explorer's games. places has a row for each position of a collection's games: the number of these games by their
-- result, and the numbers of all of them, as varints. Its key comes from package symmetry. marks has the games of an outcome, a year
-- or a player, so that a filter intersects lists.
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

CREATE TABLE marks (
	kind       TEXT    NOT NULL,
	value      NOT NULL,
	collection INTEGER NOT NULL,
	games      BYTEA   NOT NULL,
	PRIMARY KEY (kind, value, collection)
) WITHOUT ROWID;
