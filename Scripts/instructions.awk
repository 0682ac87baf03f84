# Compares counts of instructions with recorded ones: awk -F '\t' -v file=RECORD -f instructions.awk RECORD COUNTS.
# Both have a comment with the versions, and lines of an operation and its count.

/^# / { versions[FILENAME] = substr($0, 3); next }
FILENAME == file { recorded[$1] = $2; next }
recorded[$1] !~ /^[1-9][0-9]*$/ {
    printf "dev: not recorded: %s: %d instructions, but no valid number in %s\n", $1, $2, file
    failed = 1
    next
}
{
    change = ($2 / recorded[$1] - 1) * 100
    numbers = sprintf("%d instructions, %d recorded (%+.1f %%)", $2, recorded[$1], change)
    if (change > 10) print "dev: too many: " $1 ": " numbers
    else if (change < -10) print "dev: fewer: " $1 ": " numbers
    else print $1 ": " numbers
    if (change > 10 || change < -10) failed = 1
}
END {
    if (failed && versions[file] != versions[FILENAME])
        printf "dev: recorded with %s; counted with %s\n", versions[file], versions[FILENAME]
    exit failed
}
