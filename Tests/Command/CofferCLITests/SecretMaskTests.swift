import CofferBasics
import CofferCLI
import Testing
import TestSupport

@Suite("Secret mask") struct SecretMaskTests {
    @Test(arguments: [
        (["hunter2"], "x hunter2 y", "x **** y"),
        (["hunter2"], "hunter hunter", "hunter hunter"),
        (["hunter2"], "hunter2hunter2", "****"),
        (["abcd", "abcdef"], "abcdx abcdefx", "****x ****x"),
        (["abcde", "defgh"], "-abcdefgh-", "-****-"),
        (["aaaa"], "aaaaaaab", "****b"),
        (["abab"], "ababaab", "****aab"),
        (["aabaaab"], "aabaabaaab", "aab****"),
    ])
    func `each byte that is part of a secret is hidden`(secrets: [String], text: String, expected: String) {
        let masked = masked([Array(text.utf8)], secrets.map { Array($0.utf8) })
        #expect(String(decoding: masked, as: UTF8.self) == expected)
    }

    @Test func `only bytes that may be part of a secret are held back`() {
        var mask = SecretMask([secret("hunter2")])
        var seen = ""
        for (chunk, expected) in [
            ("login: ", "login: "), ("hun", "login: "), ("ter", "login: "), ("2", "login: ****"),
            ("h", "login: ****"), ("i", "login: ****hi"), ("hunte", "login: ****hi"),
        ] {
            mask.take(chunk.utf8Span.span) { bytes in seen += text(bytes) }
            #expect(seen == expected, "after \(chunk)")
        }
        mask.end { bytes in seen += text(bytes) }
        #expect(seen == "login: ****hihunte")
    }

    @Test func `a secret longer than a chunk is hidden`() {
        let long = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        #expect(masked([Array("<".utf8) + long + Array(">".utf8)], [long]) == Array("<****>".utf8))
    }

    @Test func `a long secret that overlaps itself is hidden quickly`() {
        let secret = Array(repeating: UInt8(ascii: "a"), count: 200_000)
        #expect(masked([Array("<".utf8) + secret + secret + Array("b>".utf8)], [secret]) == Array("<****b>".utf8))
    }

    @Test(arguments: UInt64(0)..<200)
    func `chunks of any length give the same result as the whole`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // Two letters, so that secrets, overlaps and near misses are frequent.
        let letters = Array("ab".utf8)
        func random(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in letters[Int(generator.next() % 2)] }
        }
        let secrets = (0..<Int(generator.next() % 3 + 1)).map { _ in random(Int(generator.next() % 7 + 2)) }
        let text = random(Int(generator.next() % 200))
        var chunks: [[UInt8]] = []
        var rest = text[...]
        while !rest.isEmpty {
            let count = Int(generator.next() % 9)
            chunks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(masked(chunks, secrets) == simplyMasked(text, secrets))
    }

    // Expected values: python3 -c 'import base64, json; ...'
    @Test func `a secret is hidden in base64 and in JSON`() {
        let hidden = SecretMask([secret("pass\"w\u{F6}rd\n?>")])
        let text = """
            {"a": "pass\\"w\u{F6}rd\\n?>", "b": "cGFzcyJ3w7ZyZAo/Pg==", "c": "cGFzcyJ3w7ZyZAo_Pg=="}
            """
        #expect(masked([Array(text.utf8)], hidden) == Array(#"{"a": "****", "b": "****==", "c": "****=="}"#.utf8))
    }

    // Expected values: python3 -c 'import base64; …'. A character with bits of the preceding byte stays; one with the
    // last bits of the secret is hidden.
    @Test(arguments: [
        ("aHVudGVyMiE=", "****E="), ("a2ltOmh1bnRlcjI=", "a2ltOm****="), ("eHk6aHVudGVyMiE=", "eHk6****E="),
        ("YTpodW50ZXIyLQ==", "YTp****LQ=="),
    ])
    func `a secret is hidden in the base64 of a longer text`(text: String, expected: String) {
        #expect(masked([Array(text.utf8)], SecretMask([secret("hunter2")])) == Array(expected.utf8))
    }

    /// Masks by comparing every position with every secret, without chunks.
    private func simplyMasked(_ text: [UInt8], _ secrets: [[UInt8]]) -> [UInt8] {
        var isHidden = text.map { _ in false }
        for secret in secrets {
            for start in text.indices where text[start...].starts(with: secret) {
                for index in start..<(start + secret.count) { isHidden[index] = true }
            }
        }
        var result: [UInt8] = []
        for index in text.indices {
            if !isHidden[index] { result.append(text[index]) }
            if isHidden[index], index == 0 || !isHidden[index - 1] { result += Array("****".utf8) }
        }
        return result
    }

    private func secret(_ bytes: [UInt8]) -> MaskedSecret { MaskedSecret(HeldSecret(copying: bytes.span)) }

    private func secret(_ text: String) -> MaskedSecret { secret(Array(text.utf8)) }

    private func text(_ bytes: Span<UInt8>) -> String {
        String(decoding: [UInt8](copying: bytes), as: UTF8.self)
    }

    private func masked(_ chunks: [[UInt8]], _ secrets: [[UInt8]]) -> [UInt8] {
        masked(chunks, SecretMask(secrets.map { secret($0) }))
    }

    private func masked(_ chunks: [[UInt8]], _ mask: consuming SecretMask) -> [UInt8] {
        var mask = mask
        var result: [UInt8] = []
        for chunk in chunks { mask.take(chunk.span) { bytes in result += [UInt8](copying: bytes) } }
        mask.end { bytes in result += [UInt8](copying: bytes) }
        return result
    }
}
