package import CofferBasics

/// The cells of a CSV file, as positions in its bytes.
///
/// The rules are those of RFC 4180, with lines that end in LF, CRLF or CR, blank lines, and quotes inside unquoted cells.
package struct CSVTable {
    /// How many columns a header may have.
    static let columnCountLimit = 1000
    /// How many rows a file may have.
    static let rowCountLimit = 1 << 19
    /// How many cells a file may have, those that short rows lack included.
    static let cellCountLimit = 1 << 23

    /// How a quoted cell contains a quote.
    enum Escapes {
        /// As two quotes.
        case doubled
        /// Also after a backslash, which itself is written as two: KeePass 1.
        case backslash
    }

    let bytes: HeldSecret
    let cells: [Cell]
    /// The rows after the header.
    let rowPositions: [Row]
    /// The names of the columns, trimmed.
    package let header: [String]
    /// Whether names of columns were shortened.
    let hasLongNames: Bool
    private let columns: [String: Int]

    /// Reads a file of UTF-8 text.
    ///
    /// The separator is a comma unless the first line has none outside quotes; then it is a semicolon or a tab.
    ///
    /// - Parameter bytes: The file; a byte-order mark is skipped.
    /// - Throws: `PasswordFileError` with the position of invalid UTF-8, or the limit that is exceeded.
    package init(_ bytes: HeldSecret) throws {
        try self.init(bytes, escapes: .doubled)
    }

    /// The same, with the given escapes.
    init(_ bytes: HeldSecret, escapes: Escapes) throws {
        try bytes.checkUTF8()
        let separator = try Self.separator(of: bytes, escapes: escapes)
        var parser = CSVParser(separator: separator, escapes: escapes, offset: bytes.textStart)
        try bytes.withSpan { span in
            while try parser.readRow(span) {}
        }
        guard let first = parser.rows.first else { throw PasswordFileError.unknownForm }
        guard first.cellCount <= Self.columnCountLimit else {
            throw PasswordFileError.tooLarge("the header has more than \(Self.columnCountLimit) columns")
        }
        // Work for each row grows with the header.
        guard parser.rows.count <= Self.cellCountLimit / first.cellCount else {
            throw PasswordFileError.tooLarge("more than \(Self.cellCountLimit) cells")
        }
        (self.bytes, cells) = (bytes, parser.cells)
        rowPositions = Array(parser.rows.dropFirst())
        let names = first.cells.map { [cells = parser.cells] in cells[$0].secret(in: bytes).text.trimmed }
        // Each row may have all of them.
        header = names.map(\.shortened)
        hasLongNames = names.contains(where: \.isLong)
        columns = Dictionary(zip(header.map { $0.lowercased() }, 0...)) { first, _ in first }
    }

    /// The first separator by which the first line has two cells; a comma if there is none.
    private static func separator(of bytes: HeldSecret, escapes: Escapes) throws -> UInt8 {
        for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
            var parser = CSVParser(separator: separator, escapes: escapes, offset: bytes.textStart)
            try bytes.withSpan { span in _ = try parser.readRow(span) }
            if let row = parser.rows.first, row.cellCount > 1 { return separator }
        }
        return UInt8(ascii: ",")
    }

    /// The index of the first column of this name, whatever its case.
    package func column(_ name: String) -> Int? { columns[name] ?? columns[name.lowercased()] }

    /// Whether there is a column of each name.
    package func hasColumns(_ names: String...) -> Bool { names.allSatisfy { column($0) != nil } }

    /// The rows after the header, without blank ones.
    package var rows: some Collection<CSVRow> {
        rowPositions.lazy.map { CSVRow(table: self, position: $0) }
    }

    /// How many rows are broken or have not as many cells as the header.
    var irregularRowCount: Int {
        rowPositions.count { $0.problem != nil || $0.cellCount != header.count }
    }

    /// A cell: its position without quotes.
    struct Cell {
        let start: UInt32
        let end: UInt32
        let form: Form

        enum Form: UInt8 {
            case plain, quoted
            case doubledQuotes, backslashes
        }

        var range: Range<Int> { Int(start)..<Int(end) }

        func secret(in bytes: HeldSecret) -> HeldSecret {
            switch form {
            case .plain, .quoted: bytes.secret(in: range)
            case .doubledQuotes, .backslashes:
                bytes.withSpan { bytes in
                    HeldSecret(capacity: range.count) {
                        CSVParser.unescape(bytes.extracting(range), backslashes: form == .backslashes, to: &$0)
                    }
                }
            }
        }
    }

    /// A row: the line on which it begins, and its cells.
    struct Row {
        let line: Int
        var cells: Range<Int>
        var problem: Problem?

        var cellCount: Int { cells.count }
    }

    enum Problem {
        case textAfterQuote
        case unclosedQuote
    }
}

/// A row of a CSV file.
package struct CSVRow {
    let table: CSVTable
    let position: CSVTable.Row

    /// The line of the file on which the row begins, from 1.
    package var line: Int { position.line }

    /// Why the row cannot be read; nil if it can.
    ///
    /// A row may have fewer cells than the header, but not more: a comma is then not quoted, and cells are at the wrong
    /// place.
    package var problem: String? {
        switch position.problem {
        case .textAfterQuote: "text after the closing quote of a cell"
        case .unclosedQuote: "a quote is not closed"
        case nil where position.cellCount > table.header.count:
            "\(position.cellCount) cells, but the header has \(table.header.count); is a comma not quoted?"
        case nil: nil
        }
    }

    /// The cell of a column; nil if the row has none.
    package subscript(column: Int) -> CSVCell? {
        guard column < position.cellCount else { return nil }
        return CSVCell(bytes: table.bytes, position: table.cells[position.cells.lowerBound + column])
    }

    /// The cell of the first column of this name; nil if there is no such column, or the row is too short.
    package subscript(name: String) -> CSVCell? { table.column(name).flatMap { self[$0] } }
}

/// A cell of a CSV file.
package struct CSVCell {
    let bytes: HeldSecret
    let position: CSVTable.Cell

    /// Whether nothing is in the cell, which may be quoted.
    package var isEmpty: Bool { position.start == position.end }
    /// Whether the cell is in quotes.
    package var isQuoted: Bool { position.form != .plain }
    /// The content.
    package var secret: HeldSecret { position.secret(in: bytes) }
    /// The content, for what is not secret.
    package var text: String { secret.text }
}
