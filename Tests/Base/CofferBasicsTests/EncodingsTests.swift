import CofferBasics
import Testing

@Suite("Encodings") struct EncodingsTests {
    private func decode(_ text: String, _ decode: (Span<UInt8>) -> HeldSecret?) -> String? {
        let bytes = Array(text.utf8)
        return decode(bytes.span)?.text
    }

    // RFC 4648, section 10.
    @Test(arguments: [
        ("", "", "", ""), ("f", "Zg==", "MY======", "66"), ("fo", "Zm8=", "MZXQ====", "666F"),
        ("foo", "Zm9v", "MZXW6===", "666F6F"), ("foob", "Zm9vYg==", "MZXW6YQ=", "666F6F62"),
        ("fooba", "Zm9vYmE=", "MZXW6YTB", "666F6F6261"), ("foobar", "Zm9vYmFy", "MZXW6YTBOI======", "666F6F626172"),
    ])
    func `the vectors of RFC 4648 are decoded with and without padding`(
        text: String,
        base64: String,
        base32: String,
        hexadecimal: String
    ) {
        #expect(decode(base64, Encodings.base64) == text)
        #expect(decode(base32, Encodings.base32) == text)
        #expect(decode(hexadecimal, Encodings.hexadecimal) == text)
        #expect(decode(base64.replacing("=", with: ""), Encodings.base64) == text)
        #expect(decode(base32.replacing("=", with: "").lowercased(), Encodings.base32) == text)
        #expect(decode(hexadecimal.lowercased(), Encodings.hexadecimal) == text)
    }

    @Test func `both alphabets of base64 are read, and groups of base32`() {
        #expect(decode("+/8-_w", Encodings.base64) == decode("+/8+/w==", Encodings.base64))
        #expect(decode("Zm9v\r\n Yg==", Encodings.base64) == "foob")
        #expect(decode("mzxw 6ytb-oi", Encodings.base32) == "foobar")
        #expect(decode("66-6F 6f", Encodings.hexadecimal) == "foo")
    }

    @Test(arguments: ["Z", "Zm9vY", "Zm9*", "Zg==Zg==", "Zg=a"])
    func `other text is not base64`(text: String) {
        #expect(decode(text, Encodings.base64) == nil)
    }

    @Test(arguments: [("M", ""), ("MZX", "f"), ("MZXW6Y", "foo")])
    func `base32 of any length is decoded`(text: String, expected: String) {
        #expect(decode(text, Encodings.base32) == expected)
    }

    @Test(arguments: ["MZXW61", "MZXW68", "MY==MY", "MZ_W"])
    func `other text is not base32`(text: String) {
        #expect(decode(text, Encodings.base32) == nil)
    }

    @Test(arguments: ["6", "666", "6g", "66=="])
    func `other text is not hexadecimal`(text: String) {
        #expect(decode(text, Encodings.hexadecimal) == nil)
    }
}
