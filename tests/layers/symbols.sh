#!/usr/bin/env bash
# Checks that no object needs a symbol that only a higher layer (layers.txt) defines: headers of a lower layer could
# declare what a higher one holds, and no #include would tell.
# usage: symbols.sh NM OBJECT...
set -euo pipefail

layers=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/layers.txt
nm=$1
shift
objects=()
for object in "$@"; do
    if [[ $object == *.o ]]; then objects+=("$object"); fi # CMake counts precompiled headers among the objects
done

# nm prints "object.o:", then "address type name", without an address for what is not defined. Twice: what is defined,
# then what is needed.
symbols=$("$nm" -C "${objects[@]}")
awk -v layers="$layers" '
BEGIN {
    while ((getline line < layers) > 0) {
        if (line ~ /^#/) continue
        ++rank
        n = split(line, names, " ")
        for (i = 1; i <= n; ++i) rank_of[names[i]] = rank
    }
}
# Libraries of a single layer are known by their target, others by the folder of their source or, where many sources
# are compiled as one, by the group of these.
function layer_of(object) {
    gsub(/\/[.]\//, "/", object)
    if (object ~ /plucker_io_(objects|texts|files)[.]dir\//) return "io"
    if (object ~ /plucker_view[.]dir\//) return "view"
    if (object ~ /plucker_(cli|tour)_objects[.]dir\//) return "cli"
    if (match(object, /[.]dir\/src\/[a-z]+\//)) return substr(object, RSTART + 9, RLENGTH - 10)
    if (match(object, /\/unity_[a-z]+_/)) return substr(object, RSTART + 7, RLENGTH - 8)
    return ""
}
FNR == 1 { ++pass }
/^[^ ].*[.]o:$/ {
    object = substr($0, 1, length($0) - 1)
    layer = layer_of(object)
    if (!(layer in rank_of)) {
        print object ": its layer, \"" layer "\", is not in layers.txt" > "/dev/stderr"
        exit failed = 1
    }
    if (pass == 1) ++objects_of[layer]
    next
}
NF < 2 { next }
{
    needed = ($1 == "U")
    if ($1 == "w" || $1 == "v") next  # it may be missing
    name = $0
    if (!sub(/^ +U /, "", name)) sub(/^[0-9a-f]+ +. /, "", name)
}
pass == 1 && !needed {
    if (!(name in lowest) || rank_of[layer] < rank_of[lowest[name]]) lowest[name] = layer
    in_layer[layer, name] = 1
}
pass == 2 && needed && (name in lowest) {
    ++count
    if (((layer, name) in in_layer) || rank_of[lowest[name]] < rank_of[layer]) next
    if (seen[object, name]++) next
    print object ": " layer " needs " name ", which " lowest[name] " defines" > "/dev/stderr"
    failed = 1
}
END {
    for (l in objects_of) printf "%s: %d objects\n", l, objects_of[l]
    printf "%d symbols looked up\n", count
    if (count == 0) failed = 1
    exit failed
}' <(printf '%s\n' "$symbols") <(printf '%s\n' "$symbols")
