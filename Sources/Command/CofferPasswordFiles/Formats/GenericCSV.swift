internal import CofferBasics

extension PasswordFile {
    /// A CSV file whose columns the user has named; all others become fields.
    ///
    /// - Parameters:
    ///   - table: The file.
    ///   - columns: The names of its columns, in any case.
    /// - Returns: The file.
    /// - Throws: `PasswordFileError.invalid` if the file lacks one of the columns.
    static func read(_ table: CSVTable, _ columns: CSVColumns) throws -> PasswordFile {
        let names = [
            columns.title, columns.site, columns.account, columns.password, columns.notes, columns.oneTimePassword,
        ]
        for name in names {
            if let name, table.column(name) == nil {
                throw PasswordFileError.invalid("the file has no column \(name.printable)")
            }
        }
        return try table.file("CSV") { reader in
            if let name = columns.title { reader.record.title = reader.text(name) }
            if let name = columns.account { reader.record.account = reader.text(name) }
            if let name = columns.password { reader.record.secret = reader.secret(name) }
            if let name = columns.notes { reader.record.notes = reader.secret(name) }
            if let name = columns.site { reader.site(name) }
            if let name = columns.oneTimePassword { reader.oneTimePassword(name) }
        }
    }
}
