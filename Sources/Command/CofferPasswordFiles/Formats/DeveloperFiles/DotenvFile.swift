package import CofferBasics

extension Form where Content == NamedFile {
    static var dotenv: Form {
        Form {
            $0.name == ".env" || $0.name.hasPrefix(".env.") || $0.name.hasSuffix(".env")
        } read: { file, _ in
            try file.bytes.checkUTF8()
            var reader = DotenvFile(name: file.name, file.bytes)
            return try file.bytes.withSpan { bytes in try reader.read(bytes) }
        }
    }
}

extension PasswordFile {
    /// The variables of an environment file, whatever it is called: each is the account of a record.
    package static func variables(in bytes: HeldSecret) throws(PasswordFileError) -> PasswordFile {
        let file = NamedFile(bytes: bytes, name: "")
        return try PasswordFileError.converting { try Form.dotenv.read(file, ReadingOptions()) }
    }
}

/// A `.env` file: one record for each variable.
///
/// There is no standard. Single quotes are literal; in double quotes `\n`, `\r`, `\t`, `\"` and `\\` are escapes, and there
/// may be several lines; without quotes, a value ends before ` #`. Nothing is expanded.
struct DotenvFile {
    private let name: String
    private var file: PasswordFile
    private var lines: LineReader
    /// The records by the names of their variables.
    private var positions: [String: Int] = [:]

    init(name: String, _ bytes: HeldSecret) {
        self.name = name
        file = PasswordFile(form: "environment file", byteCount: bytes.byteCount)
        lines = LineReader(offset: bytes.textStart)
    }

    mutating func read(_ bytes: Span<UInt8>) throws -> PasswordFile {
        while let line = lines.next(bytes) {
            let line = bytes.trimmed(line)
            guard let first = line.first, bytes[first] != UInt8(ascii: "#") else { continue }
            try readVariable(line, bytes)
        }
        return file
    }

    private mutating func readVariable(_ line: Range<Int>, _ bytes: Span<UInt8>) throws {
        let place = "line \(lines.number)"
        guard let equal = line.first(where: { bytes[$0] == UInt8(ascii: "=") }) else {
            return try file.refuse("\(place): expected NAME=value")
        }
        var key = bytes.extracting(bytes.trimmed(line.lowerBound..<equal)).text
        if key.hasPrefix("export ") { key = key.dropFirst("export ".count).trimmed }
        var record = PasswordRecord(.other, at: place)
        record.title = name
        record.account = key
        readValue(bytes.trimmed(equal + 1..<line.upperBound), bytes, to: &record)
        if let position = positions[key] {
            // As in a shell, the last value counts.
            try file.refuse("\(file.records[position].place): \(key.printable) is set again on \(place)")
            file.records[position] = record
        } else {
            positions[key] = file.records.count
            try file.append(record)
        }
    }

    private mutating func readValue(_ value: Range<Int>, _ bytes: Span<UInt8>, to record: inout PasswordRecord) {
        guard let first = value.first else { return record.secret = HeldSecret(text: "") }
        let quote = bytes[first]
        let isDouble = quote == UInt8(ascii: "\"")
        if isDouble || quote == UInt8(ascii: "'") || quote == UInt8(ascii: "`"),
            let (end, hasComment) = closingQuote(quote, from: first + 1, bytes)
        {
            let inner = bytes.extracting(first + 1..<end)
            record.secret = isDouble ? BackslashEscapes.decoded(inner, keepsUnknown: true) : HeldSecret(copying: inner)
            if isDouble { noteVariables(inner, of: &record) }
            if hasComment { record.losses.append("the comment after the value") }
            while lines.offset <= end, lines.next(bytes) != nil {}
            return
        }
        let comment = value.dropFirst().first { bytes[$0] == UInt8(ascii: "#") && bytes[$0 - 1].isBlank }
        if comment != nil { record.losses.append("the comment after the value") }
        let text = bytes.extracting(bytes.trimmed(value.lowerBound..<(comment ?? value.upperBound)))
        record.secret = HeldSecret(copying: text)
        noteVariables(text, of: &record)
    }

    /// The quote that ends a value, after which only a comment follows; nil if there is none.
    private func closingQuote(
        _ quote: UInt8,
        from start: Int,
        _ bytes: Span<UInt8>
    ) -> (offset: Int, hasComment: Bool)? {
        var index = start
        while index < bytes.count, bytes[index] != quote {
            index += quote == UInt8(ascii: "\"") && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count else { return nil }
        var next = index + 1
        while next < bytes.count, bytes[next].isBlank, bytes[next] != UInt8(ascii: "\n") { next += 1 }
        let hasComment = next < bytes.count && bytes[next] == UInt8(ascii: "#")
        let isEnd = next == bytes.count || bytes[next] == UInt8(ascii: "\n") || hasComment
        return isEnd ? (index, hasComment) : nil
    }

    /// Reports `$NAME` and `${NAME}`, which programs replace by other values.
    private func noteVariables(_ text: Span<UInt8>, of record: inout PasswordRecord) {
        let hasVariable = text.indices.dropLast().contains { index in
            guard text[index] == UInt8(ascii: "$"), index == 0 || text[index - 1] != UInt8(ascii: "\\") else {
                return false
            }
            let next = text[index + 1]
            return next == UInt8(ascii: "{") || next.isXMLNameByte && !next.isDigit
        }
        if hasVariable { record.losses.append("a variable in the value is not replaced by its value") }
    }
}
