import CofferBasics
import CofferPasswordFiles
import TestSupport
import Testing

@Suite("Files that are read back") struct ReadBackTests {
    @Test(arguments: [ExportForm.apple, .chrome, .firefox, .bitwarden, .onePassword])
    func `cells are what the records have`(form: ExportForm) throws {
        var generator = SeededGenerator(seed: 9)
        let records = (0..<300).map { _ in PasswordRecord.random(using: &generator) }
        let table = try CSVTable(HeldSecret(WrittenFile(form, records).bytes))
        let expected = records.flatMap { $0.cells(form) }
        #expect(table.rows.count == expected.count)
        for (row, cells) in zip(table.rows, expected) {
            #expect(row.problem == nil)
            for (column, cell) in cells.enumerated() {
                #expect(row[column].map { $0.secret.array } == Array(cell.utf8))
            }
        }
    }

    private func read(_ form: ExportForm, _ records: [PasswordRecord]) throws -> PasswordFile {
        let file = try PasswordFile.read(HeldSecret(WrittenFile(form, records).bytes), name: "export.csv")
        #expect(file.refused == [])
        return file
    }

    /// The summaries without the places in the file.
    private func summaries(_ records: [PasswordRecord]) -> [[String]] { records.map { Array($0.summary.dropFirst()) } }

    /// The record as it is read from a file of the form, one for each row.
    private func expected(_ record: PasswordRecord, _ form: ExportForm) -> [PasswordRecord] {
        var record = record
        if form != .onePassword { (record.tags, record.isArchived) = ([], false) }
        if ![.onePassword, .bitwarden].contains(form) { record.isFavorite = false }
        if ![.bitwarden, .keePassXC].contains(form) { record.folders = [] }
        if ![.keePassXC, .firefox].contains(form) { (record.created, record.changed) = (nil, nil) }
        if [.chrome, .firefox].contains(form) { record.oneTimePasswords = [] }
        if form == .firefox {
            (record.title, record.notes) = ("", nil)
            // Any form.
            record.fields = [PasswordRecord.Field("formActionOrigin", HeldSecret(""))]
        }
        if [.keePassXC, .onePassword].contains(form) { record.sites = Array(record.sites.prefix(1)) }
        guard [.chrome, .firefox].contains(form) else { return [record] }
        return record.sites.map { site in
            var row = record
            row.sites = [site]
            return row
        }
    }

    @Test(
        arguments: [ExportForm.apple, .chrome, .firefox, .bitwarden, .keePassXC, .onePassword],
        UInt64(0)..<20
    )
    func `our readers find every part of a record`(form: ExportForm, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let records = (0..<10).map { _ in PasswordRecord.random(using: &generator) }
        let file = try read(form, records)
        #expect(summaries(file.records) == summaries(records.flatMap { expected($0, form) }))
    }

    @Test func `the realm is read from a file of Firefox`() throws {
        var record = PasswordRecord(at: "item 1")
        (record.sites, record.account, record.secret) = (["http://router"], "admin", HeldSecret("x"))
        record.realm = "Router \"1\", left"
        #expect(summaries(try read(.firefox, [record]).records) == summaries([record]))
    }

    @Test func `fields and notes are read from a file of Bitwarden`() throws {
        var login = PasswordRecord.login
        (login.created, login.changed, login.oneTimePasswords) = (nil, nil, [])
        login.fields = [
            PasswordRecord.Field("PIN", HeldSecret("12 34"), isHidden: true),
            PasswordRecord.Field("x", HeldSecret("y:z"), isHidden: true),
        ]
        let note = PasswordRecord.note("one\n=two")
        #expect(summaries(try read(.bitwarden, [login, note]).records) == summaries([login, note]))
    }
}
