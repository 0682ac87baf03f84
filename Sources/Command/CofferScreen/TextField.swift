package import CofferBasics

/// A line of text that the user edits.
///
/// The text stays in wiped memory, so that the type serves for secrets and for everything else.
package struct TextField {
    /// The longest text.
    package static let byteCountLimit = 1 << 16

    /// The text, in valid UTF-8.
    package private(set) var content = HeldSecret(buffer: SecretBuffer(byteCount: 0))
    /// Whether dots are drawn instead of the characters; then there is only one word.
    package var isMasked: Bool
    /// The number of characters before the cursor.
    private var cursor = 0
    /// The number of characters that are scrolled out of view.
    private var scrolled = 0

    /// An empty field.
    package init(isMasked: Bool = false) {
        self.isMasked = isMasked
    }

    /// A field with a text, and the cursor after it; nil if the text is not UTF-8, or too long.
    package init?(_ content: HeldSecret, isMasked: Bool = false) {
        guard Self.isValid(content) else { return nil }
        self.content = content
        self.isMasked = isMasked
        cursor = characters.count
    }

    /// The text as a string, for fields that are not secret.
    package var text: String {
        content.withSpan { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return "" }
            return String(copying: text)
        }
    }

    private static func isValid(_ text: HeldSecret) -> Bool {
        text.byteCount <= byteCountLimit && text.withSpan { (try? UTF8Span(validating: $0)) != nil }
    }

    // MARK: - Editing

    /// Inserts what was pasted, without line breaks at its end; returns false if it is not UTF-8, or too long.
    package mutating func insert(_ pasted: HeldSecret) -> Bool {
        guard Self.isValid(pasted) else { return false }
        return pasted.withSpan { bytes in
            var count = bytes.count
            while count > 0, bytes[count - 1] == UInt8(ascii: "\n") || bytes[count - 1] == UInt8(ascii: "\r") {
                count -= 1
            }
            return replace(cursor..<cursor, with: bytes.extracting(..<count))
        }
    }

    /// Edits the text or moves the cursor; returns false if the key does neither.
    package mutating func handle(_ key: PressedKey, _ modifiers: KeyModifiers) -> Bool {
        let count = characters.count
        switch (key, modifiers) {
        case (.character(let scalar), []): insert(scalar)
        case (.left, []), (.character("b"), .control): cursor = max(0, cursor - 1)
        case (.right, []), (.character("f"), .control): cursor = min(count, cursor + 1)
        case (.left, .control), (.left, .alt), (.character("b"), .alt): cursor = wordStart
        case (.right, .control), (.right, .alt), (.character("f"), .alt): cursor = wordEnd
        case (.home, []), (.character("a"), .control): cursor = 0
        case (.end, []), (.character("e"), .control): cursor = count
        case (.backspace, []): delete(max(0, cursor - 1)..<cursor)
        case (.delete, []), (.character("d"), .control): delete(cursor..<min(count, cursor + 1))
        case (.backspace, .alt), (.character("w"), .control): delete(wordStart..<cursor)
        case (.delete, .control), (.character("d"), .alt): delete(cursor..<wordEnd)
        case (.character("u"), .control): delete(0..<cursor)
        case (.character("k"), .control): delete(cursor..<count)
        default: return false
        }
        return true
    }

    private mutating func insert(_ scalar: Unicode.Scalar) {
        let utf8 = UTF8.encode(scalar).map(Array.init) ?? []
        utf8.wipedAfter { _ = replace(cursor..<cursor, with: $0.span) }
    }

    private mutating func delete(_ range: Range<Int>) {
        _ = replace(range, with: Span())
    }

    /// Replaces characters, and puts the cursor after the new ones; returns false if the text would be too long.
    private mutating func replace(_ range: Range<Int>, with new: Span<UInt8>) -> Bool {
        let old = characters
        let (start, end) = (offset(range.lowerBound, old), offset(range.upperBound, old))
        let byteCount = content.byteCount - (end - start) + new.count
        guard byteCount <= Self.byteCountLimit else { return false }
        var buffer = SecretBuffer(byteCount: byteCount)
        content.withSpan { bytes in
            buffer.withMutableSpan {
                $0.copy(from: bytes.extracting(..<start))
                $0.copy(from: new, at: start)
                $0.copy(from: bytes.extracting(end...), at: start + new.count)
            }
        }
        content = HeldSecret(buffer: buffer)
        // What was inserted may have joined a character, such as an accent.
        let edited = characters
        cursor = edited.firstIndex { $0.offset >= start + new.count } ?? edited.count
        return true
    }

    // MARK: - Characters

    private struct EditedCharacter {
        let offset: Int
        let isInWord: Bool
        let columnCount: Int
    }

    private func forEachCharacter(_ body: (Character, _ offset: Int) -> Void) {
        content.withSpan { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return }
            var iterator = text.makeCharacterIterator()
            var offset = 0
            while let character = iterator.next() {
                body(character, offset)
                offset = iterator.currentCodeUnitOffset
            }
        }
    }

    private var characters: [EditedCharacter] {
        var characters: [EditedCharacter] = []
        forEachCharacter { character, offset in
            characters.append(
                EditedCharacter(
                    offset: offset,
                    isInWord: isMasked || character.isLetter || character.isNumber,
                    columnCount: isMasked ? 1 : String(character).columnCount
                )
            )
        }
        return characters
    }

    /// Where the character at `index` begins, or the text ends.
    private func offset(_ index: Int, _ characters: [EditedCharacter]) -> Int {
        index < characters.count ? characters[index].offset : content.byteCount
    }

    private var wordStart: Int {
        let before = characters[..<cursor]
        let end = before.lastIndex { $0.isInWord } ?? 0
        return before[..<end].lastIndex { !$0.isInWord }.map { $0 + 1 } ?? 0
    }

    private var wordEnd: Int {
        let after = characters[cursor...]
        let start = after.firstIndex { $0.isInWord } ?? after.endIndex
        return after[start...].firstIndex { !$0.isInWord } ?? after.endIndex
    }

    // MARK: - Drawing

    /// Draws what fits into the first row of `rect`, and returns the place of the cursor.
    package mutating func draw(on grid: inout Grid, in rect: Rect, _ style: CellStyle = CellStyle()) -> Position {
        let characters = characters
        // Where each character begins, and the text ends.
        let columns = characters.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.columnCount) }
        let width = max(1, rect.columnCount)
        scrolled = min(scrolled, cursor)
        while columns[cursor] - columns[scrolled] >= width { scrolled += 1 }
        // The text does not stay scrolled if it fits, with the cursor after it.
        while scrolled > 0, columns[characters.count] - columns[scrolled - 1] < width { scrolled -= 1 }
        grid.fill(rect, style)
        var index = 0
        forEachCharacter { character, _ in
            defer { index += 1 }
            let column = columns[index] - columns[scrolled]
            guard (0..<width).contains(column) else { return }
            let place = Position(column: rect.column + column, row: rect.row)
            grid.put(isMasked ? "•" : String(character), at: place, in: rect, style)
        }
        return Position(column: rect.column + columns[cursor] - columns[scrolled], row: rect.row)
    }
}
