# Every number with a point, in another format: fewer digits than rounding and iterations leave the same. No -0, and no
# more than two blanks, which depend on the digits before.
{
    out = ""
    rest = $0
    while (match(rest, /-?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?|-?[0-9]+e-[0-9]+/)) {
        number = sprintf(f, substr(rest, RSTART, RLENGTH) + 0)
        if (number + 0 == 0) number = "0"
        out = out substr(rest, 1, RSTART - 1) number
        rest = substr(rest, RSTART + RLENGTH)
    }
    out = out rest
    gsub(/   */, "  ", out)
    print out
}
