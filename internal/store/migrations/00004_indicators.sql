-- SPDX-License-Identifier: Apache-2.0
-- The players of the indicators come with bred weights since this version, and minimax adds up the scores on the way to a
-- leaf. What was played or begun before names what it had: indicators(weights=hand,path=off).

-- +goose Up
CREATE TEMP TABLE renamed AS
SELECT old, CASE
	WHEN instr(old, 'eval=indicators(') THEN replace(old, 'eval=indicators(', 'eval=indicators('
		|| CASE WHEN instr(old, 'weights=') THEN '' ELSE 'weights=hand,' END || CASE WHEN instr(old, 'path=') THEN '' ELSE 'path=off,' END)
	WHEN instr(old, 'eval=indicators') THEN replace(old, 'eval=indicators', 'eval=indicators(weights=hand,path=off)')
	ELSE old || CASE WHEN instr(old, ':') THEN ',' ELSE ':' END || 'eval=indicators(weights=hand,path=off)'
END AS now FROM (
	SELECT first AS old FROM games WHERE game LIKE 'ultimate%'
	UNION SELECT second FROM games WHERE game LIKE 'ultimate%'
	UNION SELECT first FROM web_games WHERE game LIKE 'ultimate%'
	UNION SELECT second FROM web_games WHERE game LIKE 'ultimate%'
	UNION SELECT p.value FROM (SELECT spec FROM runs WHERE json_valid(spec)) r, json_each(r.spec, '$.players') p
		WHERE json_extract(r.spec, '$.game') LIKE 'ultimate%'
) WHERE (old IN ('minimax', 'alphabeta', 'greedy') OR old LIKE 'minimax:%' OR old LIKE 'alphabeta:%' OR old LIKE 'greedy:eval=%')
	AND (instr(old, 'eval=indicators') OR NOT instr(old, 'eval='));
UPDATE games SET first = (SELECT now FROM renamed WHERE old = first) WHERE game LIKE 'ultimate%' AND first IN (SELECT old FROM renamed);
UPDATE games SET second = (SELECT now FROM renamed WHERE old = second) WHERE game LIKE 'ultimate%' AND second IN (SELECT old FROM renamed);
UPDATE web_games SET first = (SELECT now FROM renamed WHERE old = first) WHERE game LIKE 'ultimate%' AND first IN (SELECT old FROM renamed);
UPDATE web_games SET second = (SELECT now FROM renamed WHERE old = second) WHERE game LIKE 'ultimate%' AND second IN (SELECT old FROM renamed);
CREATE TEMP TABLE respelt AS
SELECT r.id, json_set(r.spec, '$.players', json((
	SELECT json_group_array(coalesce(n.now, p.value)) FROM json_each(r.spec, '$.players') p LEFT JOIN renamed n ON n.old = p.value
))) AS spec FROM (SELECT id, spec FROM runs WHERE json_valid(spec)) r
WHERE json_extract(r.spec, '$.game') LIKE 'ultimate%'
	AND EXISTS (SELECT 1 FROM json_each(r.spec, '$.players') p WHERE p.value IN (SELECT old FROM renamed));
UPDATE runs SET
	key = CASE WHEN key = spec THEN (SELECT s.spec FROM respelt s WHERE s.id = runs.id) ELSE key END,
	spec = (SELECT s.spec FROM respelt s WHERE s.id = runs.id)
WHERE id IN (SELECT id FROM respelt);
DROP TABLE respelt;
DROP TABLE renamed;

-- +goose Down
SELECT 1;
