#!/usr/bin/env bash
# Checks that no file includes one of a higher layer (layers.txt), and that the readers of files, the viewer, the tool and the Python module include
# no private header of another layer.
# usage: includes.sh SOURCE_DIR
set -euo pipefail

layers=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/layers.txt
cd "$1"
mapfile -t files < <(find include src -name '*.hpp' -o -name '*.cpp' | sort)

awk -v layers="$layers" '
BEGIN {
    while ((getline line < layers) > 0) {
        if (line ~ /^#/) continue
        ++rank
        n = split(line, names, " ")
        for (i = 1; i <= n; ++i) rank_of[names[i]] = rank
    }
    for (i = 1; i < ARGC; ++i) exists[ARGV[i]] = 1
}
# include/plucker/scalar/dual.hpp and src/scalar/isa.cpp are of scalar, include/plucker/error.hpp is of error.
function layer_of(path, parts, n) {
    n = split(path, parts, "/")
    if (parts[1] == "src") return parts[2]
    sub(/[.]hpp$/, "", parts[3])
    return parts[3]
}
# a/b/../c is a/c.
function without_dots(path) {
    while (match(path, /[^\/]+\/[.][.]\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
    return path
}
function resolve(name, folder, i, n, tries) {
    n = split("include/" name "|" folder "/" name "|src/io/" name, tries, "|")
    for (i = 1; i <= n; ++i) {
        if (without_dots(tries[i]) in exists) return without_dots(tries[i])
    }
    return ""
}
function fail(why) {
    print FILENAME ":" FNR ": " why > "/dev/stderr"
    failed = 1
}
/^[ \t]*#[ \t]*include[ \t]+("|<plucker\/)/ {
    match($0, /["<][^">]+/)
    name = substr($0, RSTART + 1, RLENGTH - 1)
    folder = FILENAME
    sub(/\/[^\/]*$/, "", folder)
    path = resolve(name, folder)
    from = layer_of(FILENAME)
    if (!(from in rank_of)) fail("layer \"" from "\" is not in layers.txt")
    if (path == "") { fail("there is no file " name); next }
    to = layer_of(path)
    if (!(to in rank_of)) fail("layer \"" to "\" is not in layers.txt")
    ++count
    if (from == to) next
    if (rank_of[to] >= rank_of[from]) fail(from " must not know " to ", but includes " name)
    if (path ~ /^src/ && (from == "io" || from == "view" || from == "cli" || from == "python")) fail(from " includes a private header of " to ": " name)
}
END {
    printf "%d inclusions in %d files\n", count, ARGC - 1
    if (count == 0) fail("nothing was checked")
    exit failed
}' "${files[@]}"
