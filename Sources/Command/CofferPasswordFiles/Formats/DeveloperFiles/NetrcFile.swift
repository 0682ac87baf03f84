internal import CofferBasics

extension Form where Content == NamedFile {
    static var netrc: Form {
        Form {
            [".netrc", "_netrc", "netrc"].contains($0.name)
        } read: { file, _ in
            try file.bytes.checkUTF8()
            var reader = NetrcFile(file.bytes)
            return try file.bytes.withSpan { bytes in try reader.read(bytes) }
        }
    }
}

/// A `.netrc` file: machines with logins and passwords, in tokens between white space.
struct NetrcFile {
    private var file: PasswordFile
    private var offset: Int
    private var line = 1
    private var record: PasswordRecord?
    private var losses = LossCounter()

    init(_ bytes: HeldSecret) {
        file = PasswordFile(form: "netrc", byteCount: bytes.byteCount)
        offset = bytes.textStart
    }

    mutating func read(_ bytes: Span<UInt8>) throws -> PasswordFile {
        while let token = nextToken(bytes) { try readEntry(token, bytes) }
        try finishRecord()
        file.losses = losses.losses
        return file
    }

    private mutating func readEntry(_ token: Token, _ bytes: Span<UInt8>) throws {
        switch token.value.text {
        case "machine":
            try begin(site: nextToken(bytes)?.value.text ?? "")
        case "default":
            try begin(site: "")
        case "login", "user", "password", "passwd", "account":
            let place = line
            guard let value = nextToken(bytes) else { return }
            guard record != nil else { return try file.refuse("line \(place): a value before the first machine") }
            read(value, of: token.value.text)
        case "macdef":
            let name = nextToken(bytes)?.value.text ?? ""
            losses.note("macro \(name.shortened.printable)")
            skipMacro(bytes)
        case let text where text.hasPrefix("#"): skipLine(bytes)
        default: try file.refuse("line \(line): expected a word such as machine, login or password")
        }
    }

    /// Adds a value to the record; of several of one kind, all but the first become fields.
    private mutating func read(_ value: Token, of word: String) {
        switch word {
        case "login", "user": record?.setAccount(value.value, orField: word)
        case "account": record?.add(word, value.value)
        default:
            record?.setSecret(value.value, orField: word)
            guard value.isQuoted else { return }
            record?.losses.append("the password is in quotes, which older programs take for a part of it")
        }
    }

    private mutating func begin(site: String) throws {
        try finishRecord()
        var record = PasswordRecord(at: "line \(line)")
        record.addSite(site)
        record.title = site.isEmpty ? "default" : site
        self.record = record
    }

    private mutating func finishRecord() throws {
        guard let record else { return }
        self.record = nil
        guard record.secret != nil || !record.account.isEmpty else {
            return try file.refuse("\(record.place): a machine without login and password")
        }
        try file.append(record)
    }

    // MARK: - Tokens

    private struct Token {
        let value: HeldSecret
        let isQuoted: Bool
    }

    /// The next token: up to white space, or between quotes, in which a backslash escapes.
    private mutating func nextToken(_ bytes: Span<UInt8>) -> Token? {
        while offset < bytes.count, bytes[offset].isBlank { advance(bytes) }
        guard offset < bytes.count else { return nil }
        if bytes[offset] == UInt8(ascii: "\""), let end = closingQuote(bytes) {
            let quoted = bytes.extracting(offset + 1..<end)
            offset = end + 1
            return Token(value: BackslashEscapes.decoded(quoted, keepsUnknown: false), isQuoted: true)
        }
        let start = offset
        while offset < bytes.count, !bytes[offset].isBlank { offset += 1 }
        return Token(value: HeldSecret(copying: bytes.extracting(start..<offset)), isQuoted: false)
    }

    /// The quote that ends the token at `offset`: on the same line, followed by white space.
    private func closingQuote(_ bytes: Span<UInt8>) -> Int? {
        var index = offset + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
            if bytes[index] == UInt8(ascii: "\"") {
                return index + 1 == bytes.count || bytes[index + 1].isBlank ? index : nil
            }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private mutating func advance(_ bytes: Span<UInt8>) {
        if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
        offset += 1
    }

    private mutating func skipLine(_ bytes: Span<UInt8>) {
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
    }

    /// Skips the lines of a macro, up to an empty one.
    private mutating func skipMacro(_ bytes: Span<UInt8>) {
        skipLine(bytes)
        var lines = LineReader(offset: offset + 1)
        while let next = lines.next(bytes), !next.isEmpty {}
        while offset < min(lines.offset, bytes.count) { advance(bytes) }
    }
}
