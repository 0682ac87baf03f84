internal import CofferBasics

/// The parts of a text file with binary content, as RFC 7468 describes it.
package struct PEM: Sendable {
    /// What a part is, such as `CERTIFICATE`.
    package let label: String
    /// The lines between the label and the content, such as `Proc-Type: 4,ENCRYPTED`.
    package private(set) var headers: [String] = []
    /// The content, which the user of this value wipes if it is a secret.
    package var content: [UInt8]

    package init(_ label: String, content: [UInt8]) {
        self.label = label
        self.content = content
    }

    // MARK: - Reading

    /// Reads all parts; text around them is ignored, and so is a part whose content is malformed.
    ///
    /// No copies of the content are made besides that in the parts.
    package static func parts(of text: [UInt8]) -> [PEM] {
        var parts: [PEM] = []
        var label: String?
        var headers: [String] = []
        var digits: [ArraySlice<UInt8>] = []
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if let start = name(in: line, after: "-----BEGIN ") {
                (label, headers, digits) = (start, [], [])
            } else if let end = name(in: line, after: "-----END "), let start = label {
                if start == end, let content = base64(digits) {
                    var part = PEM(start, content: content)
                    part.headers = headers
                    parts.append(part)
                }
                label = nil
                digits = []
            } else if label != nil {
                if line.contains(UInt8(ascii: ":")) {
                    headers.append(String(decoding: line, as: UTF8.self))
                } else {
                    digits.append(line)
                }
            }
        }
        return parts
    }

    private static func name(in line: ArraySlice<UInt8>, after prefix: String) -> String? {
        guard line.starts(with: prefix.utf8) else { return nil }
        var rest = line.dropFirst(prefix.utf8.count)
        while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() }
        guard rest.suffix(5).elementsEqual("-----".utf8) else { return nil }
        return String(decoding: rest.dropLast(5), as: UTF8.self)
    }

    private static func base64(_ lines: [ArraySlice<UInt8>]) -> [UInt8]? {
        withTemporarySecret(
            capacity: lines.reduce(0) { $0 + $1.count },
            writtenBy: { text in for byte in lines.joined() { text.append(byte) } },
            { try? Base64.decoded($0) }
        )
    }

    // MARK: - Writing

    /// How many bytes a line holds: 64 digits.
    private static let lineByteCount = 48

    /// The text has at most so many bytes.
    package var textByteCountLimit: Int { content.count * 3 / 2 + 2 * label.utf8.count + 64 }

    /// The part as text, which the caller wipes if the content is a secret.
    package var text: [UInt8] {
        var text: [UInt8] = []
        // So that the text is never copied.
        text.reserveCapacity(textByteCountLimit)
        text += "-----BEGIN \(label)-----\n".utf8
        let content = content
        let bytes = content.span
        for start in stride(from: 0, to: bytes.count, by: Self.lineByteCount) {
            let line = bytes.extracting(start..<min(start + Self.lineByteCount, bytes.count))
            Base64.append(line, to: &text)
            text.append(0x0A)
        }
        text += "-----END \(label)-----\n".utf8
        return text
    }
}
