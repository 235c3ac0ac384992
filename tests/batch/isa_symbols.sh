#!/usr/bin/env bash
# Checks that code compiled for AVX2 or AVX-512 defines no symbol that other code could share. The linker
# keeps one of all inline functions of the same name, from whichever file: it might keep that one, and a lesser
# processor would stop at an unknown instruction. All such names must tell the instruction set.
# usage: isa_symbols.sh NM OBJECT...
set -euo pipefail

nm=$1
shift

status=0
for isa in avx2 avx512; do
    # nm prints "object.o:", then "address type name". Types: W, V weak; u unique; T, D, B, R global.
    symbols=$("$nm" -C --defined-only "$@" |
        awk -v object="/$isa.cpp.o:\$" 'NF == 1 && /:$/ { inside = ($1 ~ object) } inside && NF > 2')
    if [[ -z $symbols ]]; then
        echo "there is no $isa.cpp.o among the objects of the library" >&2
        exit 1
    fi
    shared=$(awk '$2 ~ /^[WVuTDBR]$/' <<<"$symbols" |
        grep -v -e Avx2Isa -e Avx512Isa -e 'kAvx2Code$' -e 'kAvx512Code$' \
            -e ' DW\.ref\.__gxx_personality_v0$' || true)
    if [[ -n $shared ]]; then
        printf '%s.cpp defines symbols that do not name their instruction set:\n%s\n' "$isa" "$shared" >&2
        status=1
    fi
    printf '%s: %d symbols, %d of them shared with other code\n' "$isa" \
        "$(wc -l <<<"$symbols")" "$(grep -c . <<<"$shared" || true)"
done
exit "$status"
