import CofferBasics
import CofferCLI
import TestSupport
import Testing

@Suite("JSON", .temporaryDirectory) struct JSONTests {
    /// Texts with control characters, quotes, characters of other planes and combining characters.
    private static let texts: [String] = {
        var generator = SeededGenerator(seed: 3)
        let scalars = Array(
            "\"\\/\u{0}\u{1}\u{8}\n\r\t\u{1F}\u{7F}\u{80}\u{200B}\u{2028}\u{E9}e\u{301}\u{1F511}\u{10FFFF}ab"
                .unicodeScalars
        )
        let random = (0..<300).map { _ in
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                text.append(scalars[Int.random(in: scalars.indices, using: &generator)])
            }
            return String(text)
        }
        return random + ["", "plain"]
    }()

    @Test(arguments: [
        ("\u{9B}31m", #"\u009b31m"#), ("\u{7F}", #"\u007f"#), ("a\u{202E}b", #"a\u202eb"#), ("\u{2066}", #"\u2066"#),
        ("\u{200B}", #"\u200b"#), ("\u{AD}", #"\u00ad"#), ("\u{34F}", #"\u034f"#), ("\u{61C}", #"\u061c"#),
        ("\u{2028}", #"\u2028"#), ("\u{3164}", #"\u3164"#), ("\u{FE0F}", #"\ufe0f"#), ("\u{FEFF}", #"\ufeff"#),
        ("\u{E000}", #"\ue000"#), ("\u{E0041}", #"\udb40\udc41"#), ("\u{E0100}", #"\udb40\udd00"#),
    ])
    func `invisible characters are escaped`(text: String, escaped: String) {
        #expect(JSON.string(text).text == "\"\(escaped)\"")
    }

    @Test(.enabled(if: PythonOracle.isExpected))
    func `Python reads quoted text`() throws {
        let read = try LibraryOracle.answers("from-json", Self.texts.map { Array(JSON.string($0).text.utf8) })
        #expect(read == Self.texts.map { Array($0.utf8) })
    }

    @Test func `values are on one line with keys in order`() {
        let value: JSON = [
            "b": [1, -2, nil], "a": true, "c": ["x": "y\n"], "d": .decimal(1.5), "e": [], "f": .object([]),
        ]
        #expect(
            value.text == #"{"b": [1, -2, null], "a": true, "c": {"x": "y\n"}, "d": 1.500, "e": [], "f": {}}"#
        )
    }

    @Test(arguments: [
        (0.0, 3, "0.000"), (1.5, 1, "1.5"), (-0.125, 3, "-0.125"), (2.0 / 3, 3, "0.667"), (12.0, 0, "12"),
        (0.0004, 3, "0.000"), (99.999, 1, "100.0"), (.nan, 3, "null"), (.infinity, 1, "null"), (1e30, 1, "null"),
    ])
    func `decimals have the given number of digits`(value: Double, digits: Int, text: String) {
        #expect(Decimal.text(value, digits: digits) == text)
    }
}

@Suite("Base64", .temporaryDirectory) struct Base64Tests {
    @Test(.enabled(if: PythonOracle.isExpected))
    func `Base64 matches Python`() throws {
        var generator = SeededGenerator(seed: 5)
        let inputs = (0..<200).map { count in
            (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
        let written = inputs.map { bytes in
            var text: [UInt8] = []
            Base64.append(bytes.span, to: &text)
            return text
        }
        #expect(written == (try LibraryOracle.answers("base64", inputs)))
    }
}
