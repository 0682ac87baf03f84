internal import CofferBasics

/// Makes a record from a row: what a form does not take becomes fields, so that nothing is lost.
struct RowReader {
    let row: CSVRow
    var record: PasswordRecord
    /// Why the row is no record; nil if it is one.
    var leftOut: String?
    /// Whether references such as `&amp;` are decoded.
    var decodesHTMLEntities = false
    private var isTaken: [Bool]

    init(_ row: CSVRow) {
        self.row = row
        record = PasswordRecord(at: "line \(row.line)")
        isTaken = Array(repeating: false, count: row.table.header.count)
    }

    // MARK: - Taking cells

    /// Takes the first column of these names; nil if the cell is empty or missing.
    mutating func secret(_ names: String...) -> HeldSecret? { secret(names) }

    private mutating func secret(_ names: [String]) -> HeldSecret? {
        guard let column = names.lazy.compactMap(row.table.column).first else { return nil }
        isTaken[column] = true
        return value(column)
    }

    private func value(_ column: Int) -> HeldSecret? {
        guard let cell = row[column], !cell.isEmpty else { return nil }
        return decodesHTMLEntities ? HTMLEntities.decoded(cell.secret) : cell.secret
    }

    /// The same for what is not secret; an empty text if there is none.
    mutating func text(_ names: String...) -> String { secret(names)?.text ?? "" }

    /// Takes the cells that nearly every form has.
    mutating func take(title: String, account: String, password: String, notes: String) {
        record.title = text(title)
        record.account = text(account)
        record.secret = secret(password)
        record.notes = secret(notes)
    }

    /// Takes a cell that is an address.
    mutating func site(_ names: String...) {
        let site = (secret(names)?.text ?? "").trimmed
        if !site.isEmpty { record.sites.append(site) }
    }

    /// Takes a cell that is true: `1` or `true`.
    mutating func flag(_ names: String...) -> Bool {
        ["1", "true"].contains(secret(names)?.text.lowercased() ?? "")
    }

    /// Takes a cell that is a date; if it is none, it becomes a field.
    mutating func date(_ name: String, _ read: (String) -> Int64? = FileDate.text) -> Int64? {
        guard let value = secret(name) else { return nil }
        if let date = read(value.text) { return date }
        record.fields.append(PasswordRecord.Field(name, value))
        return nil
    }

    /// Takes a generator of one-time passwords; the title and the account must have been set.
    mutating func oneTimePassword(_ names: String...) {
        if let text = secret(names) { record.addOneTimePassword(text, field: names.first ?? "") }
    }

    /// Takes cells that are not secret as fields, unless they are empty or were taken.
    mutating func fields(_ names: String...) { fields(names, areHidden: false) }

    /// The same for cells that are secret.
    mutating func hiddenFields(_ names: String...) { fields(names, areHidden: true) }

    private mutating func fields(_ names: [String], areHidden: Bool) {
        for name in names {
            guard let column = row.table.column(name), !isTaken[column], let value = secret(name) else { continue }
            record.fields.append(PasswordRecord.Field(name, value, isHidden: areHidden))
        }
    }

    /// The record, with all cells that were not taken as hidden fields: nobody knows what is in them.
    var finished: PasswordRecord {
        var record = record
        // A row may be far shorter than the header.
        for column in 0..<row.position.cellCount where !isTaken[column] {
            if let value = value(column) {
                record.fields.append(PasswordRecord.Field(row.table.header[column], value, isHidden: true))
            }
        }
        return record
    }
}

extension Form where Content == CSVTable {
    /// A form of a program with a record in each row; `remark` is what the program never exports.
    init(
        _ name: String,
        remark: String? = nil,
        matches: @escaping @Sendable (CSVTable) -> Bool,
        row: @escaping @Sendable (inout RowReader) -> Void
    ) {
        self.init(matches: matches) { table, _ in
            var file = try table.file(name, row)
            if let remark { file.remarks.append(remark) }
            return file
        }
    }
}

extension CSVTable {
    /// A file with a record of each row.
    ///
    /// - Parameters:
    ///   - form: The program and form of the file.
    ///   - read: Takes the cells of a row; the rest becomes fields.
    /// - Returns: The file, with the rows that could not be read.
    /// - Throws: `PasswordFileError.tooLarge` if the rows share too much.
    func file(_ form: String, _ read: (inout RowReader) -> Void) throws -> PasswordFile {
        var file = PasswordFile(form: form, byteCount: bytes.byteCount)
        if hasLongNames { file.losses.append("long names of columns were shortened") }
        for row in rows {
            if let problem = row.problem {
                try file.refuse("line \(row.line): \(problem)")
                continue
            }
            var reader = RowReader(row)
            read(&reader)
            if let reason = reader.leftOut {
                file.losses.append("line \(row.line): \(reason)")
            } else {
                try file.append(reader.finished)
            }
        }
        return file
    }
}

extension String {
    /// The parts between separators, trimmed, without empty ones.
    func parts(_ separator: Character) -> [String] {
        split(separator: separator).map(\.trimmed).filter { !$0.isEmpty }
    }
}
