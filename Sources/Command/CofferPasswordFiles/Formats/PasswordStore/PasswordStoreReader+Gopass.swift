internal import CofferBasics

// The forms of gopass besides those of pass.

extension PasswordStoreReader {
    /// Reads the old form: headers of mail, of which one is the password, and a text after an empty line.
    mutating func readHeaders(_ bytes: Span<UInt8>) {
        while let range = lines.next(bytes), !range.isEmpty {
            let line = bytes.extracting(range)
            guard let colon = line.colon else {
                addLine(line)
                continue
            }
            let key = line.extracting(0..<colon)
            let value = line.extracting(line.valueStart(after: colon)..<line.count)
            if key.text.lowercased() == "password" {
                record.setSecret(HeldSecret(copying: value), orField: key.text)
            } else if !takeKnown(key, value) {
                add(key, HeldSecret(copying: value))
            }
        }
        while let range = lines.next(bytes) { addLine(bytes.extracting(range)) }
    }

    /// Reads the lines after the password: keys and values, text, and YAML after `---`; or a file in base64.
    mutating func readGopassBody(_ bytes: Span<UInt8>) {
        if record.secret == nil, readBinary(bytes) { return }
        while let range = lines.next(bytes) {
            let line = bytes.extracting(range)
            if line.hasSameBytes(as: "---".utf8.span) { return readYAML(bytes) }
            // A key ends at the first colon with a blank after it.
            let end = line.indices.dropLast().first {
                line[$0] == UInt8(ascii: ":") && line[$0 + 1] == UInt8(ascii: " ")
            }
            guard let end else {
                addLine(line)
                continue
            }
            let key = line.extracting(0..<end)
            let value = line.extracting(end + 2..<line.count)
            if !takeKnown(key, value) { add(key, HeldSecret(copying: value)) }
        }
    }

    /// Adds a field; hidden, since all of an entry is encrypted.
    private mutating func add(_ key: Span<UInt8>, _ value: HeldSecret) {
        record.add(key.text.trimmed, value, isHidden: true)
    }

    // MARK: - Files

    /// Reads a file that `gopass cat` has written; false, with nothing read, if it is none.
    private mutating func readBinary(_ bytes: Span<UInt8>) -> Bool {
        var next = lines
        guard let first = next.next(bytes), let second = next.next(bytes),
            bytes.extracting(first).hasPrefix("content-disposition: attachment;"),
            bytes.extracting(second).hasPrefix("content-transfer-encoding: base64"), next.offset <= bytes.count,
            let content = Encodings.base64(bytes.extracting(next.offset..<bytes.count))
        else { return false }
        lines = next
        while lines.next(bytes) != nil {}
        record.kind = .other
        record.secret = content
        let name = bytes.extracting(first).text.parts(separatedBy: "filename=", maxSplits: 1).dropFirst().first ?? ""
        record.add("filename", text: name.trimmed.filter { $0 != "\"" })
        return true
    }

    // MARK: - YAML

    /// Reads keys and values; a value may be on the lines after its key, which are indented or begin with a hyphen.
    ///
    /// All values stay text: `0123` is not a number.
    private mutating func readYAML(_ bytes: Span<UInt8>) {
        while let range = lines.next(bytes) {
            let line = bytes.extracting(range)
            guard !line.isEmpty, !line.hasSameBytes(as: "...".utf8.span), !line.hasSameBytes(as: "---".utf8.span) else {
                continue
            }
            // A colon in an address is not one of YAML.
            let colon = line.indices.first { index in
                line[index] == UInt8(ascii: ":") && (index + 1 == line.count || line[index + 1] == UInt8(ascii: " "))
            }
            guard let colon, colon > 0, line[0] != UInt8(ascii: "#"), !line[0].isBlank else {
                addLine(line)
                continue
            }
            let value = scalar(bytes.trimmed(range.lowerBound + colon + 1..<range.upperBound), bytes)
            let key = line.extracting(0..<colon)
            let isKnown = value.withSpan { value in takeKnown(key, value) }
            if !isKnown { add(key, value) }
        }
    }

    /// The value on a line, or on those after it.
    private mutating func scalar(_ value: Range<Int>, _ bytes: Span<UInt8>) -> HeldSecret {
        guard let first = value.first else { return block(bytes) }
        let (quote, last) = (bytes[first], value.upperBound - 1)
        if last > first, bytes[last] == quote {
            let inner = bytes.extracting(first + 1..<last)
            if quote == UInt8(ascii: "\"") { return BackslashEscapes.decoded(inner, keepsUnknown: true) }
            if quote == UInt8(ascii: "'") { return Self.undoubled(inner) }
        }
        let isBlock = quote == UInt8(ascii: "|") || quote == UInt8(ascii: ">")
        return isBlock && value.count <= 3 ? block(bytes) : HeldSecret(copying: bytes.extracting(value))
    }

    /// The lines that are indented or begin with a hyphen, without the indentation of the first one.
    private mutating func block(_ bytes: Span<UInt8>) -> HeldSecret {
        let text = SecretBuilder()
        var indentation: Int?
        while let range = lines.peek(bytes) {
            let line = bytes.extracting(range)
            let isInside = line.isEmpty || line[0] == UInt8(ascii: " ") || line.has("- ".utf8)
            guard isInside else { break }
            _ = lines.next(bytes)
            let blankCount = line.indices.first { line[$0] != UInt8(ascii: " ") } ?? line.count
            let start = min(blankCount, indentation ?? blankCount)
            if indentation == nil, !line.isEmpty { indentation = blankCount } else { text.append(UInt8(ascii: "\n")) }
            text.append(copying: line.extracting(start..<line.count))
        }
        return text.held
    }

    /// Text in single quotes, in which two of them are one.
    private static func undoubled(_ text: Span<UInt8>) -> HeldSecret {
        HeldSecret(capacity: text.count) { output in
            var index = 0
            while index < text.count {
                output.append(text[index])
                index += text.has("''".utf8, at: index) ? 2 : 1
            }
        }
    }
}
