internal import CofferBasics
package import CommandSystem
internal import VaultFiles

/// What the command writes to its standard output, gathered in memory that is wiped: secrets go through it too.
package final class Output {
    private static let byteCountLimit = 16_384

    private let stream: any ByteOutput
    private var buffer = SecretBuffer(byteCount: byteCountLimit)
    private var byteCount = 0

    package init(_ stream: any ByteOutput) {
        self.stream = stream
    }

    /// Whether a person reads it.
    var isTerminal: Bool { stream.isTerminal }

    /// How many columns there are for a person; 80 if nobody tells.
    var columnCount: Int { stream.columnCount ?? 80 }

    /// Writes text.
    package func write(_ text: String) throws {
        try write(text.utf8Span.span)
    }

    /// Writes text and the end of the line.
    package func write(line: String) throws {
        try write(line)
        try write("\n")
    }

    /// Writes JSON and the end of the line.
    func write(json: JSON) throws {
        try write(line: json.text)
    }

    /// Writes bytes, of a secret or anything.
    package func write(_ bytes: Span<UInt8>) throws {
        for index in bytes.indices { try write(bytes[index]) }
    }

    /// Writes one byte.
    package func write(_ byte: UInt8) throws {
        if byteCount == Self.byteCountLimit { try flush() }
        buffer.withMutableSpan { $0[byteCount] = byte }
        byteCount += 1
    }

    /// Writes the bytes of a character.
    func write(utf8Of scalar: Unicode.Scalar) throws {
        for byte in scalar.utf8 { try write(byte) }
    }

    /// Hands over what is gathered, and forgets it.
    package func flush() throws {
        let full = byteCount
        byteCount = 0
        guard full > 0 else { return }
        defer { buffer.withMutableSpan { bytes in for index in 0..<full { bytes[index] = 0 } } }
        do throws(FileError) {
            try buffer.withSpan { bytes throws(FileError) in try stream.write(bytes.extracting(..<full)) }
        } catch {
            var failure = CommandError(error)
            if stream.isAbandoned { failure.signal = Interrupts.brokenPipe }
            throw failure
        }
    }
}

extension Output {
    /// Writes an object of JSON with a secret at its end: `secret` if that is text, else `secretBase64`.
    func write(object: JSON, secret: Span<UInt8>) throws {
        try write(String(object.text.dropLast()))
        if let text = try? UTF8Span(validating: secret) {
            try write(", \"secret\": ")
            try JSONText.write(quoting: text, to: self)
        } else {
            try write(", \"secretBase64\": \"")
            try Base64.write(secret, to: self)
            try write("\"")
        }
        try write("}\n")
    }
}
