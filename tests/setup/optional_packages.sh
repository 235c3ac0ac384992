#!/usr/bin/env bash
# Checks that scripts/setup installs what is missing, and leaves out an optional package that the system does not know. The
# system is played by small programs that come first in the path.
# usage: optional_packages.sh SOURCE_DIR
set -euo pipefail

root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program() {
    printf '#!/usr/bin/env bash\n%s\n' "$2" >"$work/$1"
    chmod +x "$work/$1"
}
# Installed is Eigen alone. apt-get installs nothing that apt-cache does not know, and notes what it was asked for.
program dpkg-query 'echo "installed libeigen3-dev"; exit 1'
program apt-cache '[[ " $UNKNOWN " != *" $2 "* ]]'
program apt-get 'for word in "$@"; do [[ " $UNKNOWN " != *" $word "* ]] || exit 100; done
[[ " $* " != *" install "* ]] || echo " $* " >"$ASKED"'
program sudo 'exec "$@"'
export PATH=$work:$PATH ASKED=$work/asked

setup() {
    export UNKNOWN=$1
    rm -f "$ASKED"
    "$root/scripts/setup" run 2>"$work/said"
}
fail() {
    echo "$1" >&2
    cat "$work/said" >&2
    exit 1
}
asked_for() { [[ $(cat "$ASKED") == *" $1 "* ]]; }

setup "" || fail "setup fails where all packages are known"
asked_for libmujoco-dev || fail "an optional package that is known was left out"
asked_for cmake || fail "a package that is missing was left out"
! asked_for libeigen3-dev || fail "a package that is there was installed again"

setup "libsdformat-dev libmujoco-dev" || fail "setup fails where optional packages are unknown"
asked_for libassimp-dev || fail "one unknown package kept the others away"
! asked_for libsdformat-dev || fail "an unknown package was asked for"

! setup "cmake" || fail "setup succeeds without a package that the build needs"
