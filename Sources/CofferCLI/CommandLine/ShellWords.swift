internal import KeyedArchive

// Text in the language of shells.
extension String {
    /// The text as a word of a shell.
    var shellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "+"), UInt8(ascii: ","):
                    true
                default: false
                }
            }
        return isPlain ? self : "'\(printable.replacingQuotes)'"
    }

    /// The text for single quotes of a shell.
    var replacingQuotes: String {
        split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    }
}
