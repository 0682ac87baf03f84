import CofferBasics
import CofferCLI
import CofferPasswordFiles
import Testing

@Suite("One-time passwords") struct OneTimeCodeTests {
    private func code(_ uri: String, count: UInt64) throws -> String {
        let generator = try OneTimePasswordURI(uri.utf8Span.span)
        return try OneTimeCode(generator, count: count).text.withSpan { bytes in
            String(decoding: [UInt8](copying: bytes), as: UTF8.self)
        }
    }

    // RFC 4226, appendix D.
    @Test(
        arguments: zip(
            UInt64(0)..<10,
            ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]
        )
    )
    func `passwords by count are those of RFC 4226`(count: UInt64, expected: String) throws {
        let uri = "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        #expect(try code(uri, count: count) == expected)
    }

    // RFC 6238, appendix B: the key is the digits 1 to 9 and 0, repeated to 20, 32 and 64 bytes.
    @Test(arguments: [
        ("SHA1", 59, "94287082"), ("SHA256", 59, "46119246"), ("SHA512", 59, "90693936"),
        ("SHA1", 1_111_111_109, "07081804"), ("SHA256", 1_111_111_109, "68084774"),
        ("SHA512", 1_111_111_109, "25091201"), ("SHA1", 1_111_111_111, "14050471"),
        ("SHA256", 1_111_111_111, "67062674"), ("SHA512", 1_111_111_111, "99943326"),
        ("SHA1", 1_234_567_890, "89005924"), ("SHA256", 1_234_567_890, "91819424"),
        ("SHA512", 1_234_567_890, "93441116"), ("SHA1", 2_000_000_000, "69279037"),
        ("SHA256", 2_000_000_000, "90698825"), ("SHA512", 2_000_000_000, "38618901"),
        ("SHA1", 20_000_000_000, "65353130"), ("SHA256", 20_000_000_000, "77737706"),
        ("SHA512", 20_000_000_000, "47863826"),
    ])
    func `passwords by time are those of RFC 6238`(algorithm: String, time: UInt64, expected: String) throws {
        let keys = [
            "SHA1": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
            "SHA256": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA",
            "SHA512":
                "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA",
        ]
        let key = try #require(keys[algorithm])
        let uri = "otpauth://totp/x?secret=\(key)&algorithm=\(algorithm)&digits=8&period=30"
        #expect(try code(uri, count: time / 30) == expected)
    }
}
