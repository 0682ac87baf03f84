# Writes the constants of status codes and their messages as Swift, from the table in Spec/status-codes.tsv:
# awk -F '\t' -v constants=FILE -v messages=FILE -f status_codes.awk TABLE

BEGIN {
    written = "// Written by `./dev fixtures` from Spec/status-codes.tsv."
    print written >constants
    print written "\n" >messages
    print "/// The messages of Apple's status codes." >messages
    print "package enum StatusMessage {" >messages
    print "    /// Returns the message for `status`; nil if the code is unknown." >messages
    print "    package static func text(for status: Int32) -> String? {" >messages
    print "        switch status {" >messages
}
{
    printf "\n/// %s\npublic let %s: OSStatus = %s\n", $3, $1, $2 >constants
    printf "        case %s: \"%s\"\n", $2, $3 >messages
}
END {
    print "        default: nil\n        }\n    }\n}" >messages
}
