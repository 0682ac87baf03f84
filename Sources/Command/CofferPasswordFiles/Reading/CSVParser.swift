internal import CofferBasics

/// Notes where the cells of a CSV file are.
struct CSVParser: ~Copyable {
    private let separator: UInt8
    private let escapes: CSVTable.Escapes
    private var offset: Int
    private var line = 1
    private(set) var cells: [CSVTable.Cell] = []
    private(set) var rows: [CSVTable.Row] = []

    init(separator: UInt8, escapes: CSVTable.Escapes, offset: Int) {
        (self.separator, self.escapes, self.offset) = (separator, escapes, offset)
    }

    /// Reads a row that is not blank; false at the end of the file.
    mutating func readRow(_ bytes: Span<UInt8>) throws -> Bool {
        while offset < bytes.count {
            let first = cells.count
            var row = CSVTable.Row(line: line, cells: first..<first)
            repeat {
                if let problem = try readCell(bytes) { row.problem = row.problem ?? problem }
            } while takeSeparator(bytes)
            skipLineEnd(bytes)
            guard !isBlank(cells[first...], bytes) else {
                cells.removeSubrange(first...)
                continue
            }
            guard rows.count <= CSVTable.rowCountLimit else {
                throw PasswordFileError.tooLarge("line \(row.line): more than \(CSVTable.rowCountLimit) rows")
            }
            row.cells = first..<cells.count
            rows.append(row)
            return true
        }
        return false
    }

    /// Whether a row has no content: blanks on a line, or nothing but empty cells.
    private func isBlank(_ cells: ArraySlice<CSVTable.Cell>, _ bytes: Span<UInt8>) -> Bool {
        if cells.count == 1, let cell = cells.first, cell.form == .plain {
            return cell.range.allSatisfy { bytes[$0].isBlank }
        }
        return cells.allSatisfy { $0.start == $0.end }
    }

    // MARK: - Cells

    private mutating func readCell(_ bytes: Span<UInt8>) throws -> CSVTable.Problem? {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
            let start = offset
            skipPlain(bytes)
            try note(.plain, from: start, to: offset)
            return nil
        }
        offset += 1
        let start = offset
        var form = CSVTable.Cell.Form.quoted
        while offset < bytes.count {
            let byte = bytes[offset]
            let next = offset + 1 < bytes.count ? bytes[offset + 1] : nil
            if byte == UInt8(ascii: "\""), next != byte {
                try note(form, from: start, to: offset)
                offset += 1
                let end = offset
                skipPlain(bytes)
                return offset > end ? .textAfterQuote : nil
            }
            if byte == UInt8(ascii: "\"") {
                if form == .quoted { form = .doubledQuotes }
                offset += 2
            } else if byte == UInt8(ascii: "\\"), escapes == .backslash, next == byte || next == UInt8(ascii: "\"") {
                form = .backslashes
                offset += 2
            } else {
                countLine(byte, next: next)
                offset += 1
            }
        }
        try note(form, from: start, to: offset)
        return .unclosedQuote
    }

    private mutating func note(_ form: CSVTable.Cell.Form, from start: Int, to end: Int) throws {
        guard cells.count < CSVTable.cellCountLimit else {
            throw PasswordFileError.tooLarge("line \(line): more than \(CSVTable.cellCountLimit) cells")
        }
        cells.append(CSVTable.Cell(start: UInt32(start), end: UInt32(end), form: form))
    }

    /// Writes a quoted cell without its escapes.
    static func unescape(_ text: Span<UInt8>, backslashes: Bool, to output: inout OutputSpan<UInt8>) {
        var index = 0
        while index < text.count {
            let next = index + 1 < text.count ? text[index + 1] : nil
            let isEscape =
                text[index] == UInt8(ascii: "\"")
                || backslashes && text[index] == UInt8(ascii: "\\")
                    && (next == UInt8(ascii: "\\") || next == UInt8(ascii: "\""))
            if isEscape, next != nil { index += 1 }
            output.append(text[index])
            index += 1
        }
    }

    // MARK: - Bytes

    private mutating func skipPlain(_ bytes: Span<UInt8>) {
        while offset < bytes.count, bytes[offset] != separator, !bytes[offset].isLineEnd { offset += 1 }
    }

    private mutating func takeSeparator(_ bytes: Span<UInt8>) -> Bool {
        guard offset < bytes.count, bytes[offset] == separator else { return false }
        offset += 1
        return true
    }

    private mutating func skipLineEnd(_ bytes: Span<UInt8>) {
        guard offset < bytes.count else { return }
        let isPair = bytes[offset] == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
        offset += isPair ? 2 : 1
        line += 1
    }

    /// Counts a line end inside a cell; CRLF is one.
    private mutating func countLine(_ byte: UInt8, next: UInt8?) {
        if byte == 0x0A || byte == 0x0D && next != 0x0A { line += 1 }
    }
}

extension UInt8 {
    fileprivate var isLineEnd: Bool { self == 0x0A || self == 0x0D }
}
