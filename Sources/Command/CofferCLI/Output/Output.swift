internal import CofferBasics
package import CommandSystem
internal import VaultFiles
internal import CofferScreen

/// Buffered standard output; the buffer is wiped, since secrets go through it too.
package final class Output {
    private static let byteCountLimit = 16_384

    private let stream: any ByteOutput
    private let buffer = SecretBuilder(capacity: byteCountLimit)

    package init(_ stream: any ByteOutput) {
        self.stream = stream
    }

    /// Whether standard output is a terminal.
    var isTerminal: Bool { stream.isTerminal }

    /// The width of the terminal in columns; 80 if unknown.
    var columnCount: Int { stream.columnCount ?? 80 }

    /// Writes text.
    package func write(_ text: String) throws {
        try write(text.utf8Span.span)
    }

    /// Writes text and a newline.
    package func write(line: String) throws {
        try write(line)
        try write("\n")
    }

    /// Writes JSON and a newline.
    func write(json: JSON) throws {
        try write(line: json.text)
    }

    /// Writes bytes, which may be a secret.
    package func write(_ bytes: Span<UInt8>) throws {
        for index in bytes.indices { try write(bytes[index]) }
    }

    /// Writes one byte.
    package func write(_ byte: UInt8) throws {
        if buffer.byteCount == Self.byteCountLimit { try flush() }
        buffer.append(byte)
    }

    /// Writes the buffered bytes to the stream and wipes them.
    package func flush() throws {
        guard buffer.byteCount > 0 else { return }
        defer { buffer.removeAll() }
        do throws(FileError) {
            try buffer.withSpan { bytes throws(FileError) in try stream.write(bytes) }
        } catch {
            var failure = CommandError(error)
            if stream.hasNoReader { failure.signal = Interrupts.brokenPipe }
            throw failure
        }
    }
}

extension Output {
    /// Writes a JSON object with the secret as its last member: `secret` if it is UTF-8, else `secretBase64`.
    func write(object: JSON, secret: Span<UInt8>) throws {
        let text = SecretBuilder()
        let json = JSONWriter(forPeople: text)
        json.begin("{")
        if case .object(let members) = object { json.write(members) }
        if secret.isText {
            json.key("secret")
            json.string(secret)
        } else {
            json.key("secretBase64")
            json.base64(secret)
        }
        json.end("}")
        json.endLine()
        try text.withSpan(write)
    }
}
