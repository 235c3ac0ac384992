# Numbers with five digits behind the point, the rest as it is.
/^-?[0-9][0-9.e+-]*$/ {
    x = $0 + 0
    if (x < 2e-6 && x > -2e-6) x = 0
    printf "%.5f ", x
    next
}
/[a-z]/ { printf "\n" }
{ printf "%s ", $0 }
END { printf "\n" }
