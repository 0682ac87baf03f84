import CofferScreen
import Testing

@Suite("Glyphs") struct GlyphTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("Ünïcödé", 7), ("e\u{301}", 1), ("日本語", 6), ("ｱｲｳ", 3), ("Ａ", 2), ("한국어", 6),
        // Hangul of conjoining letters, Thai with a vowel above, Hindi with a vowel that has a place of its own.
        ("\u{1112}\u{1161}\u{11AB}", 2), ("กี", 1), ("कि", 2),
        // Emoji, on their own, with a modifier, joined, as flags and keycaps, and selected by U+FE0F.
        ("🔑", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪🇫🇷", 4), ("1️⃣", 2), ("❤", 1), ("❤️", 2), ("🏳️‍🌈", 2),
        ("שלום", 4), ("مرحبا", 5), ("│┌─█▏…•", 7), ("\u{301}", 0),
    ])
    func `a text takes the columns that terminals give it`(text: String, columnCount: Int) {
        #expect(text.columnCount == columnCount)
        #expect(text.glyphs.map(\.text).joined() == text)
    }

    @Test func `wide are the characters that Unicode lists as wide`() {
        let scalars = (UInt32(0x20)...0x3FFFF).compactMap(Unicode.Scalar.init)
        let different = scalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator: return false
            case .nonspacingMark, .enclosingMark, .spacingMark: return false
            default: break
            }
            // Parts of flags and of Hangul syllables; the rest is invisible.
            if scalar.properties.isDefaultIgnorableCodePoint { return false }
            if (0x1F1E6...0x1F1FF).contains(scalar.value) { return String(scalar).columnCount != 2 }
            if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) {
                return String(scalar).columnCount != 0
            }
            return String(scalar).columnCount != (EastAsianWidth.wide.contains(scalar.value) ? 2 : 1)
        }
        #expect(different.map { String($0.value, radix: 16) } == [])
    }

    @Test func `marks take no column`() {
        let marks = (UInt32(0x300)...0x1FFFF).compactMap(Unicode.Scalar.init).filter {
            [.nonspacingMark, .enclosingMark].contains($0.properties.generalCategory)
                && !$0.properties.isDefaultIgnorableCodePoint
        }
        #expect(marks.count > 1800)
        #expect(marks.filter { String($0).columnCount != 0 } == [])
    }

    @Test(arguments: [
        ("a\u{1B}[2Jb", "a\\u{1B}[2Jb"), ("\r\n", "\\u{D}\\u{A}"), ("tab\there", "tab\\u{9}here"),
        ("\u{7F}\u{85}", "\\u{7F}\\u{85}"), ("x\u{202E}y\u{2066}z", "x\\u{202E}y\\u{2066}z"),
        ("\u{200E}\u{200F}\u{61C}", "\\u{200E}\\u{200F}\\u{61C}"), ("zero\u{200B}width", "zero\\u{200B}width"),
        ("\u{E000}\u{FFFE}", "\\u{E000}\\u{FFFE}"), ("tag\u{E0041}", "tag\\u{E0041}"),
        // What makes emoji is escaped where it makes none.
        ("a\u{200D}b", "a\\u{200D}b"), ("a\u{FE0F}", "a\\u{FE0F}"), ("1\u{FE0F}", "1\\u{FE0F}"),
        ("❤\u{FE0F}\u{FE0F}", "❤\\u{FE0F}\\u{FE0F}"), ("👨\u{200D}", "👨\\u{200D}"),
    ])
    func `invisible characters are escaped`(text: String, escaped: String) {
        #expect(text.glyphs.map(\.text).joined() == escaped)
        #expect(text.columnCount == escaped.columnCount)
    }

    @Test func `a character with many accents is cut`() {
        let text = "o" + String(repeating: "\u{301}", count: 100_000) + "k"
        let glyphs = Array(text.glyphs)
        #expect(glyphs.map(\.columnCount) == [1, 1])
        #expect(glyphs[0].text.utf8.count == 39)
    }

    @Test(arguments: [
        ("password", 8, "password"), ("password", 7, "passwo…"), ("password", 1, "…"), ("password", 0, ""),
        ("password", -1, ""), ("", 0, ""), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
        ("日本語", 2, "…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("a\nb", 4, "a\\u…"),
    ])
    func `a long text is cut before an ellipsis`(text: String, limit: Int, cut: String) {
        #expect(text.truncated(toColumnCount: limit) == cut)
    }
}
