#!/usr/bin/env bash
# Checks the types of the page and builds it beside page/dist: both page/dist and src/lib/api.gen.ts must be what they would be now.
# With --write it replaces them. With --modules it only installs what the build and the tests of the page need.
set -euo pipefail
cd "$(dirname "$0")"
command -v npm >/dev/null || { echo "no npm: page/dist is not compared with its sources"; exit; }
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
	npm ci --no-audit --no-fund --loglevel=error
	touch node_modules/.package-lock.json
fi
[ "${1:-}" = --modules ] && exit
if [ "${1:-}" = --write ]; then
	npm run --silent types
	npm run --silent build
	exit
fi
out=$(mktemp -d)
trap 'rm -rf "$out" "$out.ts" "$out.check"' EXIT
node types.mjs "$out.ts"
diff -q "$out.ts" src/lib/api.gen.ts || { echo "src/lib/api.gen.ts is not what openapi.json says: run make web and commit it"; exit 1; }
npm run --silent check -- --output machine >"$out.check" || { cat "$out.check"; exit 1; }
npx vite build --logLevel error --emptyOutDir --outDir "$out"
diff -rq "$out" dist || { echo "page/dist is not what page/src builds: run make web and commit page/dist"; exit 1; }
