#!/usr/bin/env bash
# Checks that every link within the documentation leads somewhere, to its heading too, and that the README and docs/README.md lead to every
# page.
# usage: links.sh SOURCE_DIR
set -euo pipefail
cd "$1"

pages=(README.md CONTRIBUTING.md NOTATION.md CHANGELOG.md docs/*.md bench/peers/README.md tests/data/reference/README.md)
export LC_ALL=C.UTF-8
failed=0

# The names that a page gives its headings, and those that it gives by hand.
anchors() {
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^[:alnum:] _-]//g; s/ /-/g'
    grep -o '<a id="[^"]*"' "$1" | sed 's/.*="//; s/"//' || true
}

count=0
for page in "${pages[@]}"; do
    while read -r link; do
        [[ -z $link || $link == http* || $link == mailto:* ]] && continue
        file=${link%%#*}
        target=$page
        if [[ -n $file ]]; then target=$(dirname "$page")/$file; fi
        count=$((count + 1))
        if [[ ! -e $target ]]; then
            echo "$page: there is no $link" >&2
            failed=1
        elif [[ $link == *"#"* && $target == *.md ]] && ! anchors "$target" | grep -qxF "${link#*#}"; then
            echo "$page: $target has no heading for #${link#*#}" >&2
            failed=1
        fi
    done < <(grep -oE '\]\([^)[:space:]]+\)|^\[[^]]+\]: .*' "$page" | sed -E 's/^\]\(//; s/\)$//; s/^\[[^]]+\]: //')
done

for page in docs/*.md; do
    for list in README.md docs/README.md; do
        if [[ $page == docs/README.md ]]; then continue; fi
        link=$page
        if [[ $list == docs/* ]]; then link=${page#docs/}; fi
        if ! grep -qF "]($link)" "$list"; then
            echo "$list does not mention $page" >&2
            failed=1
        fi
    done
done
for example in examples/[0-9]*.cpp; do
    if ! grep -qF "]($example)" README.md; then
        echo "README.md does not mention $example" >&2
        failed=1
    fi
done

echo "$count links"
((count > 100)) || failed=1
exit $failed
