internal import CofferBasics
internal import CofferScreen

extension String {
    /// The text in lines of at most `columnCount` columns, if its words allow; `usedCount` columns of the first are taken.
    ///
    /// A command between backquotes stays on one line, so that it can be copied.
    package func wrapped(to columnCount: Int, after usedCount: Int = 0) -> [String] {
        var lines: [String] = []
        var line = ""
        var column = usedCount
        for word in unbreakableParts {
            let width = word.columnCount
            if line.isEmpty {
                line = word
                column += width
            } else if column + 1 + width <= columnCount {
                line += " " + word
                column += 1 + width
            } else {
                lines.append(line)
                (line, column) = (word, width)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// The words, with those between two backquotes together.
    private var unbreakableParts: [String] {
        var parts: [String] = []
        var isQuoted = false
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let start = isQuoted ? parts.popLast().map { $0 + " " } ?? "" : ""
            parts.append(start + word)
            if !word.utf8.count(where: { $0 == UInt8(ascii: "`") }).isMultiple(of: 2) { isQuoted.toggle() }
        }
        return parts
    }
}
