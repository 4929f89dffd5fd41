-- SPDX-License-Identifier: Apache-2.0
-- The latest results of games between people are found without reading all games.

-- +goose Up
CREATE INDEX games_by_end ON games (ended) WHERE pool <> '' AND ended > 0;
