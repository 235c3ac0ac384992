#!/usr/bin/env bash
# Checks that a file does not compile, and that only its forbidden line is to blame: with
# PLUCKER_CONTROL defined, which replaces that line by an allowed one, the same file must compile.
# usage: check.sh FILE COMPILER [FLAG...]
set -euo pipefail

file=$1
shift
compile=("$@" -fsyntax-only)

read -r first_line <"$file"
if [[ $first_line != "// must not compile: "?* ]]; then
    echo "$file: the first line must say '// must not compile: <why>'" >&2
    exit 1
fi
if ! "${compile[@]}" -DPLUCKER_CONTROL "$file"; then
    echo "$file: the control does not compile, so the file proves nothing" >&2
    exit 1
fi
if "${compile[@]}" "$file" 2>/dev/null; then
    echo "$file compiles, but it ${first_line#// }" >&2
    exit 1
fi
