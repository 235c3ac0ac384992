#!/usr/bin/env bash
# Runs an example and compares what it prints with the text that the documentation shows.
# usage: check.sh EXECUTABLE EXPECTED.txt
set -euo pipefail

executable=$1
expected=$2

actual=$(mktemp)
trap 'rm -f "$actual"' EXIT

"$executable" >"$actual"
if ! diff -u --label "expected: $expected" --label "printed: $executable" "$expected" "$actual"; then
    echo "The example prints something else. If that is right: $executable > $expected" >&2
    exit 1
fi
