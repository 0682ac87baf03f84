/// A test vector: a file that demonstrates one rule, and the result that a reader must give.
struct Vector {
    /// The result that a reader must give.
    enum Outcome {
        /// The value, in the notation that `Fixtures/README.md` explains.
        case success(String)
        case malformed(String)
        case limitExceeded(String)
        /// The verdict on a vault, in the words of section 15 of the vault format.
        case verdict(String)
    }

    let name: String
    let outcome: Outcome
    /// Additional lines of the header.
    var settings: [(key: String, value: String)] = []
    let comment: String
    let body: [UInt8]

    /// The file: a text header, an empty line, the body.
    var bytes: [UInt8] {
        precondition(!comment.isEmpty, "\(name) has no comment")
        var lines: [(key: String, value: String)] =
            switch outcome {
            case .success(let value): [("expect", "success"), ("value", value)]
            case .malformed(let error): [("expect", "malformed"), ("error", error)]
            case .limitExceeded(let error): [("expect", "limit exceeded"), ("error", error)]
            case .verdict(let verdict): [("expect", verdict)]
            }
        lines += settings
        lines.append(("comment", comment))
        return Array(lines.map { "\($0.key): \($0.value)\n" }.joined().utf8) + [0x0A] + body
    }
}
