internal import CofferBasics

/// Writes CSV as RFC 4180 has it.
///
/// Values are data and are written unchanged, also those that begin with `=`, `+`, `-` or `@`: a prefix against formulas
/// would become part of the password. So such a file must not be opened in a spreadsheet, which may run them.
struct CSVWriter {
    /// Which cells are in quotes.
    enum Quotes {
        /// Those that need them, and those with a blank at an end, which some programs drop otherwise.
        case whereNeeded
        /// All of them.
        case always
    }

    private let output: SecretBuilder
    private let quotes: Quotes
    private let lineEnd: String
    private var isFirstRow = true
    private var isFirstCell = true

    init(to output: SecretBuilder, quotes: Quotes, lineEnd: String) {
        (self.output, self.quotes, self.lineEnd) = (output, quotes, lineEnd)
    }

    /// Writes the row with the names of the columns.
    mutating func header(_ names: [String]) {
        row { row in for name in names { row.cell(name) } }
    }

    /// Writes a row with the cells that `body` writes.
    mutating func row(_ body: (inout CSVWriter) -> Void) {
        if !isFirstRow { endLine() }
        (isFirstRow, isFirstCell) = (false, true)
        body(&self)
    }

    /// Ends the last row.
    mutating func endLine() { output.append(lineEnd.utf8) }

    // MARK: - Cells

    mutating func cell(_ text: String) { cell(text.utf8Span.span) }

    mutating func cell(_ text: HeldSecret?) {
        guard let text else { return cell("") }
        text.withSpan { cell($0) }
    }

    /// Writes a cell that is empty and without quotes if there is no text: Firefox tells that from an empty text.
    mutating func cell(orNull text: String?) {
        guard let text else { return separate() }
        cell(text)
    }

    private mutating func cell(_ text: Span<UInt8>) {
        separate()
        guard quotes == .always || text.needsQuotes else { return output.append(copying: text) }
        output.append(UInt8(ascii: "\""))
        var start = 0
        for index in text.indices where text[index] == UInt8(ascii: "\"") {
            // The quote is written twice: as the end of this part and as the start of the next one.
            output.append(copying: text.extracting(start...index))
            start = index
        }
        output.append(copying: text.extracting(start..<text.count))
        output.append(UInt8(ascii: "\""))
    }

    private mutating func separate() {
        if !isFirstCell { output.append(UInt8(ascii: ",")) }
        isFirstCell = false
    }
}

extension Span<UInt8> {
    fileprivate var needsQuotes: Bool {
        guard !isEmpty else { return false }
        if self[0].isBlank || self[count - 1].isBlank { return true }
        return indices.contains { index in
            switch self[index] {
            case UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D: true
            default: false
            }
        }
    }
}
