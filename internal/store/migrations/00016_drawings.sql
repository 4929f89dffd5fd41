-- SPDX-License-Identifier: Apache-2.0
-- What bots have drawn in the latest games of leagues, as JSON; empty where nothing was drawn. See docs/reference/formats/store.md.

-- +goose Up
ALTER TABLE league_games ADD COLUMN drawn TEXT NOT NULL DEFAULT '';
CREATE INDEX league_games_drawn ON league_games (id) WHERE drawn <> '';

-- +goose Down
DROP INDEX league_games_drawn;
ALTER TABLE league_games DROP COLUMN drawn;
