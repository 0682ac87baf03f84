internal import CofferBasics

/// A character as a terminal displays it.
package struct Glyph: Equatable, Sendable {
    /// The character: a grapheme cluster of at most 40 bytes without controls.
    package let text: String
    /// The columns that it takes: 0, 1 or 2.
    package let columnCount: Int

    /// The longest emoji that Unicode recommends takes 35 bytes; a character with hundreds of accents is cut.
    private static let byteCountLimit = 40

    /// A character without anything to escape.
    fileprivate init(_ character: Character) {
        if character.isPrintableASCII {
            text = String(character)
            columnCount = 1
            return
        }
        var kept = ""
        var sum = 0
        for scalar in character.unicodeScalars {
            guard kept.utf8.count + UTF8.width(scalar) <= Self.byteCountLimit else { break }
            kept.unicodeScalars.append(scalar)
            // What is narrow becomes wide if it is displayed as an emoji.
            sum += scalar == .emojiSelector ? 1 : scalar.columnCount
        }
        text = kept
        columnCount = min(sum, 2)
    }
}

/// The characters of a text as a terminal displays them.
///
/// Invisible characters, such as controls, are escaped as in `escapingInvisible`, except those that make an emoji. So
/// nothing of a text can control the terminal, and text that is already escaped does not change.
package struct Glyphs: Sequence, IteratorProtocol {
    private var characters: String.Iterator
    /// The rest of the last character, if it was escaped.
    private var escaped = "".makeIterator()

    fileprivate init(_ text: String) {
        characters = text.makeIterator()
    }

    package mutating func next() -> Glyph? {
        if let character = escaped.next() { return Glyph(character) }
        guard let character = characters.next() else { return nil }
        if character.isPrintableASCII || character.isDisplayable { return Glyph(character) }
        escaped = String(character).escapingInvisible.makeIterator()
        return next()
    }
}

extension String {
    /// The characters as a terminal displays them, which are found while they are read.
    package var glyphs: Glyphs { Glyphs(self) }

    /// The number of terminal columns that the text takes, with invisible characters escaped.
    package var columnCount: Int { glyphs.reduce(0) { $0 + $1.columnCount } }

    /// The text, escaped, and cut before an ellipsis if it takes more than `limit` columns.
    package func truncated(toColumnCount limit: Int) -> String {
        var (beginning, end, count) = ("", "", 0)
        for glyph in glyphs {
            count += glyph.columnCount
            guard count <= limit else { return limit > 0 ? beginning + "…" : "" }
            end += glyph.text
            guard count < limit else { continue }
            beginning += end
            end = ""
        }
        return beginning + end
    }
}

extension Character {
    fileprivate var isPrintableASCII: Bool { asciiValue.map { (0x20..<0x7F).contains($0) } ?? false }

    /// Whether nothing has to be escaped.
    fileprivate var isDisplayable: Bool {
        guard unicodeScalars.contains(where: \.isInvisible) else { return true }
        let scalars = Array(unicodeScalars)
        return scalars.indices.allSatisfy { index in
            let (former, next) = (index - 1, index + 1)
            guard scalars[index].isInvisible else { return true }
            guard former >= 0 else { return false }
            let isAfterEmoji = scalars[former].properties.isEmoji
            switch scalars[index] {
            case .emojiSelector:
                // Digits are emoji only as keycaps.
                let isKeycap = next < scalars.count && scalars[next] == .keycap
                return isAfterEmoji && (isKeycap || !scalars[former].isASCII)
            case .zeroWidthJoiner:
                let isBeforeEmoji = next < scalars.count && scalars[next].properties.isEmoji
                return isBeforeEmoji && (isAfterEmoji || scalars[former] == .emojiSelector)
            default: return false
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"
    fileprivate static let emojiSelector: Unicode.Scalar = "\u{FE0F}"
    fileprivate static let keycap: Unicode.Scalar = "\u{20E3}"

    /// The columns of the character on its own, as most terminals count.
    var columnCount: Int {
        guard value >= 0x300 else { return 1 }
        switch value {
        // Vowels and final consonants of Hangul, which join the consonant before them.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        // Wide and fullwidth in Unicode's EastAsianWidth, with the unassigned characters between them.
        case 0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
            0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265,
            0x20000...0x3FFFD:
            return isCombining ? 0 : 2
        default: return isCombining ? 0 : properties.isEmojiPresentation ? 2 : 1
        }
    }

    private var isCombining: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    /// Whether the letter belongs to a script that is written from right to left.
    var isRightToLeft: Bool {
        // Unicode's blocks for such scripts, among them Hebrew and Arabic.
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
