/// The parts of a text file with binary content, as RFC 7468 describes it.
package struct PEM: Sendable {
    /// What a part is, such as `CERTIFICATE`.
    package let label: String
    /// The lines between the label and the content, such as `Proc-Type: 4,ENCRYPTED`.
    package let headers: [String]
    package var content: [UInt8]

    /// Reads all parts; text around them is ignored, and so is a part whose content is malformed.
    package static func parts(of text: [UInt8]) -> [PEM] {
        var parts: [PEM] = []
        var label: String?
        var headers: [String] = []
        var digits: [UInt8] = []
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if let start = name(in: line, after: "-----BEGIN ") {
                (label, headers, digits) = (start, [], [])
            } else if let end = name(in: line, after: "-----END "), let start = label {
                if start == end, let content = base64(digits) {
                    parts.append(PEM(label: start, headers: headers, content: content))
                }
                label = nil
                digits.removeAll()
            } else if label != nil {
                if line.contains(UInt8(ascii: ":")) {
                    headers.append(String(decoding: line, as: UTF8.self))
                } else {
                    digits += line
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

    private static func base64(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, bitCount, paddingCount, digitCount) = (0, 0, 0, 0)
        for character in text where character != 0x20 && character != 0x09 {
            if character == UInt8(ascii: "=") {
                paddingCount += 1
                continue
            }
            guard paddingCount == 0, let digit = digit(character) else { return nil }
            bits = (bits << 6 | digit) & 0xFFFF
            (bitCount, digitCount) = (bitCount + 6, digitCount + 1)
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
        }
        guard paddingCount == (4 - digitCount % 4) % 4, bits & ((1 << bitCount) - 1) == 0 else { return nil }
        return bytes
    }

    private static func digit(_ character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 0x41
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 0x61 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) - 0x30 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
