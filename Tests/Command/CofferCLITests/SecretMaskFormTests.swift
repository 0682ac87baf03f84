import CofferBasics
import CofferCLI
import Foundation
import Testing
import TestSupport

/// Python writes secrets in common forms, and each must be hidden.
///
/// `exec --mask` used to look for each secret unchanged, in base64 on one line, and as the command itself writes JSON.
/// Programs that wrote it in another form revealed it.
@Suite("Masked forms of secrets", .temporaryDirectory, .enabled(if: PythonOracle.isExpected))
struct SecretMaskFormTests {
    /// Forms of `Oracle/mask_oracle.py`, and how many characters of surrounding bytes may be visible on each side.
    private static let forms: [(name: String, context: Int)] =
        [
            "itself", "percent", "percent, lower case", "percent, in part", "percent, all of it", "percent, of a form",
            "JSON", "JSON, upper case", "JSON, not ASCII", "JSON, slashes", "JSON, all of it", "JSON, in part",
            "Python", "octal", "shell",
            "CRLF", "CRLF in JSON", "CRLF, percent", "CRLF in base64", "CRLF in hexadecimal", "indented",
            "indented, CRLF",
            "base64", "base64 for addresses", "base64 without padding", "base64, MIME",
            "base64, slashes escaped", "base64, plus escaped", "base64, percent", "base64, MIME in JSON", "hexadecimal",
            "hexadecimal, upper case",
            "hexadecimal, colons", "hexadecimal, blanks", "hexadecimal, in pairs", "hexadecimal as openssl prints keys",
            "hexadecimal as openssl prints names", "hexadecimal as xxd -p prints", "hexadecimal of C",
        ].map { ($0, 0) } + [
            // A character or two stay visible if a line ends after them.
            ("base64, lines", 1), ("base64, lines for addresses", 1), ("base64, CRLF", 1), ("base64, indented", 1),
            ("base64 of more, lines", 8), ("base64 of more", 6), ("hexadecimal of more", 8),
        ]

    private struct Secrets {
        var generator: SeededGenerator

        /// Returns a text with several scripts and lines that neither begins nor ends with white space.
        mutating func text() -> String {
            let letters = Array("abcXYZ0189%+/=\"'\\<>&:;,._-~$ \t\n\n\u{F6}\u{DF}\u{20AC}\u{1F511}")
            var text = ""
            while text.utf8.count < 4 || text.first?.isWhitespace != false || text.last?.isWhitespace != false {
                let count = Int.random(in: 2...60, using: &generator)
                text = String((0..<count).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
                // White space after a line end is indentation, which the mask ignores.
                text = text.replacing(/\n[ \t]+/, with: "\n")
            }
            return text
        }
    }

    private func form(_ name: String, of secrets: [[UInt8]], seed: UInt64) throws -> [[UInt8]] {
        let oracle = PythonOracle(
            script: "Tests/Command/CofferCLITests/Oracle/mask_oracle.py",
            directory: try TemporaryDirectory.current
        )
        return try oracle.answer(to: secrets, arguments: [name, String(seed)])
    }

    @Test(arguments: forms)
    func `a secret is hidden in each form, however it is split`(form name: String, context: Int) async throws {
        var secrets = Secrets(generator: SeededGenerator(seed: 7))
        let texts = (0..<Trials.count(15, whole: 40)).map { _ in Array(secrets.text().utf8) }
        let written = try form(name, of: texts, seed: 7)
        // The first byte of an escape, padding, white space and line ends reveal nothing.
        let around = "[0-9A-Za-z+/_-]{0,\(context)}"
        let hidden = try Regex("<([%\\\\]|0x)?\(around)\\*{4}\(around)={0,2}>")
        for (text, form) in zip(texts, written) {
            let output = Array("<".utf8) + form + Array(">".utf8)
            let whole = masked([output], text)
            #expect(
                whole.filter { !$0.isWhitespace }.wholeMatch(of: hidden) != nil,
                "\(shown(text)) in \(shown(form)) gives \(whole)"
            )
            let parts = chunks(of: output, &secrets.generator)
            #expect(masked(parts, text) == whole, "\(shown(text)) in \(parts.map(shown))")
            #expect(masked(output.map { [$0] }, text) == whole, "\(shown(text)), byte by byte")
            await Task.yield()
        }
    }

    @Test func `a secret is hidden without its trailing newline`() {
        let secret = Array("pass word\n".utf8)
        for text in ["pass word", "pass word\n", "pass word\r\n", "pass%20word", "cGFzcyB3b3Jk", "70617373 20776f7264"]
        {
            let output = masked([Array("<\(text)>".utf8)], secret)
            #expect(output.filter { !$0.isNewline } == "<****>", "\(text) gives \(output)")
        }
    }

    @Test func `binary secrets are hidden in base64, hexadecimal and percent encoding`() throws {
        var generator = SeededGenerator(seed: 11)
        for name in ["itself", "base64", "base64, lines", "hexadecimal", "hexadecimal, colons", "percent", "Python"] {
            let secrets = (0..<50).map { _ in
                // The first and last byte are not white space.
                [0x80]
                    + (0..<Int.random(in: 4...40, using: &generator)).map { _ in
                        UInt8.random(in: .min ... .max, using: &generator)
                    } + [0xFF]
            }
            for (secret, form) in zip(secrets, try form(name, of: secrets, seed: 11)) {
                let output = masked([Array("<".utf8) + form + Array(">".utf8)], secret)
                let hidden = output.filter { !$0.isNewline }.wholeMatch(of: /<[%\\A-Za-z0-9+\/]?\*{4}={0,2}>/)
                #expect(hidden != nil, "\(secret) as \(name) gives \(output)")
            }
        }
    }

    /// Returns the specification of the command, as ordinary text.
    private static func ordinaryText() throws -> String {
        try String(contentsOf: Repository.root.appending(path: "Spec/command.md"), encoding: .utf8)
    }

    @Test(arguments: ["q7Zx", "Tr0u", "8273", "zzzz", "x9.k", "\u{F6}\u{DF}", "Kq 7", "b\nzq"])
    func `a short secret hides nothing in ordinary text and delays hardly any line`(secret: String) throws {
        let text = try Self.ordinaryText()
        #expect(!text.contains(secret))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array("\($0)\n".utf8) }
        var mask = mask(Array(secret.utf8))
        var (seen, writtenCount, heldCount) = ([UInt8](), 0, 0)
        for line in lines {
            mask.take(line.span) { bytes in seen += [UInt8](copying: bytes) }
            writtenCount += line.count
            if seen.count != writtenCount { heldCount += 1 }
        }
        mask.end { bytes in seen += [UInt8](copying: bytes) }
        #expect(String(decoding: seen, as: UTF8.self) == text + "\n")
        #expect(heldCount * 200 < lines.count, "\(heldCount) of \(lines.count) lines")
    }

    @Test(arguments: ["hunt", "aHVu", "6875 6e", "hu%6", "hu\\u00", "h\\", "a\n   "])
    func `the beginning of a secret is held back until it continues differently or the gap is long`(beginning: String) {
        for secret in ["hunter2", "a\nbcdef"] {
            for end in ["?", String(repeating: " ", count: 1000), String(repeating: "\n", count: 1000) + "?"] {
                var mask = mask(Array(secret.utf8))
                var seen = ""
                mask.take(Array("\(beginning)\(end)".utf8).span) { seen += text($0) }
                #expect(seen == beginning + end)
            }
        }
    }

    // MARK: - Masking

    private func mask(_ secret: [UInt8]) -> SecretMask { SecretMask([MaskedSecret(HeldSecret(copying: secret.span))]) }

    private func masked(_ chunks: [[UInt8]], _ secret: [UInt8]) -> String {
        var mask = mask(secret)
        var result: [UInt8] = []
        for chunk in chunks { mask.take(chunk.span) { bytes in result += [UInt8](copying: bytes) } }
        mask.end { bytes in result += [UInt8](copying: bytes) }
        return String(decoding: result, as: UTF8.self)
    }

    private func chunks(of bytes: [UInt8], _ generator: inout SeededGenerator) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...9, using: &generator)
            chunks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return chunks
    }

    private func text(_ bytes: Span<UInt8>) -> String {
        String(decoding: [UInt8](copying: bytes), as: UTF8.self)
    }

    private func shown(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).debugDescription }
}
