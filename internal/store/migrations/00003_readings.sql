-- SPDX-License-Identifier: Apache-2.0
-- The published texts are read otherwise since this version. What was begun before goes on as it was read before, and so
-- names its reading: eval=generic without weights is eval=brute(gap=least), qlearning has importance=value and end=zero,
-- and what counts threats has gap=least.

-- +goose Up
UPDATE games SET
	first = replace(replace(replace(first, 'eval=generic(', 'eval=#('), 'eval=generic', 'eval=brute(gap=least)'), 'eval=#(', 'eval=generic('),
	second = replace(replace(replace(second, 'eval=generic(', 'eval=#('), 'eval=generic', 'eval=brute(gap=least)'), 'eval=#(', 'eval=generic(')
WHERE instr(first || second, 'eval=generic');
UPDATE games SET
	first = replace(replace(replace(first, 'eval=shevchenko(', 'eval=#('), 'eval=shevchenko', 'eval=shevchenko(gap=least)'), 'eval=#(', 'eval=shevchenko(gap=least,'),
	second = replace(replace(replace(second, 'eval=shevchenko(', 'eval=#('), 'eval=shevchenko', 'eval=shevchenko(gap=least)'), 'eval=#(', 'eval=shevchenko(gap=least,')
WHERE instr(first || second, 'eval=shevchenko');
UPDATE games SET first = replace(first, 'eval=chua', 'eval=chua(gap=least)'), second = replace(second, 'eval=chua', 'eval=chua(gap=least)')
WHERE instr(first || second, 'eval=chua');

UPDATE web_games SET
	first = replace(replace(replace(first, 'eval=generic(', 'eval=#('), 'eval=generic', 'eval=brute(gap=least)'), 'eval=#(', 'eval=generic('),
	second = replace(replace(replace(second, 'eval=generic(', 'eval=#('), 'eval=generic', 'eval=brute(gap=least)'), 'eval=#(', 'eval=generic(')
WHERE instr(first || second, 'eval=generic');
UPDATE web_games SET
	first = replace(replace(replace(first, 'eval=shevchenko(', 'eval=#('), 'eval=shevchenko', 'eval=shevchenko(gap=least)'), 'eval=#(', 'eval=shevchenko(gap=least,'),
	second = replace(replace(replace(second, 'eval=shevchenko(', 'eval=#('), 'eval=shevchenko', 'eval=shevchenko(gap=least)'), 'eval=#(', 'eval=shevchenko(gap=least,')
WHERE instr(first || second, 'eval=shevchenko');
UPDATE web_games SET first = replace(first, 'eval=chua', 'eval=chua(gap=least)'), second = replace(second, 'eval=chua', 'eval=chua(gap=least)')
WHERE instr(first || second, 'eval=chua');

UPDATE runs SET
	key = replace(replace(replace(key, 'eval=generic(', 'eval=#('), 'eval=generic', 'eval=brute(gap=least)'), 'eval=#(', 'eval=generic('),
	spec = replace(replace(replace(spec, 'eval=generic(', 'eval=#('), 'eval=generic', 'eval=brute(gap=least)'), 'eval=#(', 'eval=generic(')
WHERE kind <> 'learn';
UPDATE runs SET
	key = replace(replace(replace(key, 'eval=shevchenko(', 'eval=#('), 'eval=shevchenko', 'eval=shevchenko(gap=least)'), 'eval=#(', 'eval=shevchenko(gap=least,'),
	spec = replace(replace(replace(spec, 'eval=shevchenko(', 'eval=#('), 'eval=shevchenko', 'eval=shevchenko(gap=least)'), 'eval=#(', 'eval=shevchenko(gap=least,')
WHERE kind <> 'learn';
UPDATE runs SET key = replace(key, 'eval=chua', 'eval=chua(gap=least)'), spec = replace(spec, 'eval=chua', 'eval=chua(gap=least)')
WHERE kind <> 'learn';

CREATE TEMP TABLE renamed AS
SELECT id, key AS old, learner || CASE WHEN instr(learner, ':') THEN ',' ELSE ':' END || more AS learner, game, seed FROM (
	SELECT id, key, game, seed,
		replace(replace(replace(learner, 'target=generic(', '#('), 'target=generic', 'target=generic(gap=least)'), '#(', 'target=generic(gap=least,') AS learner,
		CASE
			WHEN name = 'qlearning' AND instr(learner, 'end=') THEN 'importance=value,gap=least'
			WHEN name = 'qlearning' THEN 'importance=value,end=zero,gap=least'
			WHEN name IN ('sarsa', 'td') THEN 'importance=value,gap=least'
			WHEN name = 'regression' AND game <> 'ultimate' THEN 'gap=least'
			WHEN name IN ('spsa', 'cmaes', 'genetic') AND game <> 'ultimate' AND NOT instr(learner, 'target=') THEN 'target=generic(gap=least)'
			ELSE ''
		END AS more
	FROM (
		SELECT id, key, learner, game, seed, CASE WHEN instr(learner, ':') THEN substr(learner, 1, instr(learner, ':') - 1) ELSE learner END AS name
		FROM (
			SELECT id, key, json_extract(spec, '$.learner') AS learner, json_extract(spec, '$.game') AS game, json_extract(spec, '$.seed') AS seed
			FROM runs WHERE kind = 'learn' AND json_valid(spec)
		)
	)
) WHERE more <> '' OR instr(learner, 'target=generic(gap=least');
UPDATE renamed SET learner = rtrim(learner, ',');
UPDATE cells SET variant = (
	SELECT r.learner || ' ' || r.game || ' seed=' || r.seed FROM renamed r WHERE r.old = cells.variant
) WHERE study = 'state' AND variant IN (SELECT old FROM renamed);
UPDATE runs SET
	key = (SELECT r.learner || ' ' || r.game || ' seed=' || r.seed FROM renamed r WHERE r.id = runs.id),
	spec = (SELECT json_set(runs.spec, '$.learner', r.learner) FROM renamed r WHERE r.id = runs.id)
WHERE id IN (SELECT id FROM renamed);
DROP TABLE renamed;

-- +goose Down
SELECT 1;
