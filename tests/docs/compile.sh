#!/usr/bin/env bash
# Compiles every C++ block of the README and the documentation. A block is a program, or it is the inside of a function. What it takes for
# granted stands in a comment above it that readers do not see: <!-- given: Eigen::VectorXd q, v; -->. A block that shows an #include shows
# all that it needs: those that show the same ones are compiled as one file, with these alone. All others are compiled as one file with the
# headers of the README's table.
# usage: compile.sh SOURCE_DIR WORK_DIR COMPILER [FLAG...]
set -euo pipefail

root=$1
work=$2
shift 2
rm -rf "$work"
mkdir -p "$work"
cd "$root"

awk -v work="$work" '
function write_block(file) {
    if (block !~ /int main\(/) {
        printf "namespace block_%d {\nvoid run() {\n%s\n", ++count, given > file
        printf "#line %d \"%s\"\n%s}\n}\n", line, FILENAME, block > file
    } else {
        printf "#line %d \"%s\"\n%s", line, FILENAME, block > file
        ++count
    }
}
function finish_block() {
    if (includes == "") {
        write_block(rest)
    } else {
        if (!(includes in file_of)) {
            file_of[includes] = work "/with_headers_" ++files ".cpp"
            printf "%s", includes > file_of[includes]
        }
        write_block(file_of[includes])
        ++with_headers
    }
    given = ""
}
BEGIN { rest = work "/without_headers.cpp" }
FILENAME == "README.md" && /^[|] `plucker\// {
    n = split($0, parts, "`")
    for (i = 2; i <= n; i += 2) if (parts[i] ~ /[.]hpp$/) { printf "#include <%s>\n", parts[i] > rest; ++headers }
}
/^<!-- given:/ { in_given = 1; sub(/^<!-- given:/, ""); given = "" }
in_given {
    ends = sub(/-->.*/, "")
    given = given $0 "\n"
    if (ends) in_given = 0
    next
}
/^```cpp$/ { in_block = 1; line = FNR + 1; block = includes = ""; next }
/^```/ { if (in_block) finish_block(); in_block = 0; next }
in_block && /^#include/ { includes = includes $0 "\n"; block = block "\n"; next }
in_block { block = block $0 "\n" }
END {
    if (headers < 10 || count < 10 || with_headers < 3) {
        printf "%d headers in the README, %d blocks, %d with headers: some are overlooked\n", headers, count, with_headers > "/dev/stderr"
        exit 1
    }
    printf "%d blocks, %d of them with headers of their own\n", count, with_headers
}' README.md docs/*.md

printf '%s\n' "$work"/*.cpp | xargs -P 2 -n 1 "$@" -fsyntax-only
