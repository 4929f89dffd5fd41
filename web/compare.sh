#!/usr/bin/env bash
# Builds the web app beside web/dist and says whether they are the same; with --write it replaces web/dist. With --modules
# it only installs what the build and the tests of the page need.
set -euo pipefail
cd "$(dirname "$0")"
command -v npm >/dev/null || { echo "no npm: web/dist is not compared with its sources"; exit; }
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
diff -rq "$out" dist || { echo "web/dist is not what web/src builds: run make web and commit web/dist"; exit 1; }
