#!/usr/bin/env bash
# Builds the web app beside page/dist and says whether they are the same; with --write it replaces page/dist. With --modules
# it only installs what the build and the tests of the page need.
set -euo pipefail
cd "$(dirname "$0")"
command -v npm >/dev/null || { echo "no npm: page/dist is not compared with its sources"; exit; }
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
	npm ci --no-audit --no-fund --loglevel=error
	touch node_modules/.package-lock.json
fi
[ "${1:-}" = --modules ] && exit
if [ "${1:-}" = --write ]; then
	npm run --silent build
	exit
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
npx vite build --logLevel error --emptyOutDir --outDir "$out"
diff -rq "$out" dist || { echo "page/dist is not what page/src builds: run make web and commit page/dist"; exit 1; }
