import CofferBasics
import Testing

@Suite("Base64") struct Base64Tests {
    // RFC 4648, section 10.
    private static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    private func decoded(_ text: String) throws(Base64.Fault) -> [UInt8] {
        try Base64.decoded(Array(text.utf8).span)
    }

    @Test(arguments: vectors)
    func `the vectors of RFC 4648 are encoded and decoded`(text: String, letters: String) throws {
        var written: [UInt8] = []
        Base64.append(Array(text.utf8).span, to: &written)
        #expect(written == Array(letters.utf8))
        #expect(try decoded(letters) == Array(text.utf8))
        #expect(try decoded(letters.map { " \n\($0)\r\t" }.joined()) == Array(text.utf8))
    }

    // Any one of these letters changed leaves a text that no encoder writes (RFC 4648, sections 3.2 to 3.5).
    @Test(arguments: [
        ("Zm9*", Base64.Fault.Kind.unexpectedCharacter, 3), ("Zm8-", .unexpectedCharacter, 3),
        ("Zm9v\u{B}", .unexpectedCharacter, 4), ("Zm9vZ", .incomplete, 4), ("Zg=", .incomplete, 2),
        ("Zg", .incomplete, 1),
        ("=", .misplacedPadding, 0), ("Z===", .misplacedPadding, 1), ("Zg=a", .misplacedPadding, 3),
        ("Zg==Zg==", .misplacedPadding, 4), ("Zm9v====", .misplacedPadding, 4), ("Zh==", .nonZeroPaddingBits, 3),
        ("Zm9=", .nonZeroPaddingBits, 3),
    ])
    func `any other text is refused where it is invalid`(text: String, kind: Base64.Fault.Kind, index: Int) {
        let fault = #expect(throws: Base64.Fault.self) { try decoded(text) }
        #expect(fault?.kind == kind)
        #expect(fault?.index == index)
    }
}
