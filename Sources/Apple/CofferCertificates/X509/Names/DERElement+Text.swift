internal import CofferBasics

extension DERElement {
    /// The content as text, in the encoding that the tag names.
    ///
    /// A zero byte at the end is dropped, except from UTF-16. Bytes that are invalid in the encoding, and the content of
    /// elements that are not strings, are given as hexadecimal digits in pairs.
    package func text(in bytes: [UInt8]) -> String {
        let content = bytes[content]
        let string = content.last == 0 ? content.dropLast() : content
        let text: String? =
            switch tag {
            case .printableString, .ia5String: String(ascii: string)
            case .utf8String, .generalString, .universalString: String(validating: string, as: UTF8.self)
            case .t61String, .videotexString, .visibleString:
                String(String.UnicodeScalarView(string.map { Unicode.Scalar($0) }))
            case .bmpString: String(utf16: content)
            default: nil
            }
        return text ?? content.hexadecimalPairs
    }
}

extension String {
    /// Decodes ASCII.
    init?(ascii bytes: ArraySlice<UInt8>) {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        self.init(decoding: bytes, as: UTF8.self)
    }

    /// Decodes UTF-16, which is big-endian unless a byte order mark says otherwise.
    fileprivate init?(utf16 bytes: ArraySlice<UInt8>) {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        var units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
            UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        }
        if units.first == 0xFFFE { units = units.map(\.byteSwapped) }
        if units.first == 0xFEFF { units.removeFirst() }
        self.init(validating: units, as: UTF16.self)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var hexadecimalPairs: String {
        map { [$0].hexDigits.uppercased() }.joined(separator: " ")
    }
}
