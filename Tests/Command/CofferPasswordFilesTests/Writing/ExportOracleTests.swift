import CofferBasics
import CofferPasswordFiles
import TestSupport
import Testing

/// Python's modules read what we write.
@Suite("Exports read by Python", .temporaryDirectory, .enabled(if: PythonOracle.isExpected))
struct ExportOracleTests {
    private func answer(_ file: WrittenFile, _ mode: String) throws -> [[UInt8]] {
        let oracle = PythonOracle(
            script: "Tests/Command/CofferPasswordFilesTests/Writing/Oracle/export_oracle.py",
            directory: try TemporaryDirectory.current
        )
        return try oracle.answer(to: [file.bytes], arguments: [mode])
    }

    private func records() -> [PasswordRecord] {
        var generator = SeededGenerator(seed: 7)
        return (0..<500).map { _ in PasswordRecord.random(using: &generator) }
    }

    @Test(arguments: [ExportForm.apple, .chrome, .firefox, .bitwarden, .onePassword])
    func `CSV has the cells of each record`(form: ExportForm) throws {
        let records = records()
        let rows = records.flatMap { $0.cells(form) }
        let file = WrittenFile(form, records)
        let answer = try answer(file, "csv").map { String(decoding: $0, as: UTF8.self) }
        let header = try CSVTable(HeldSecret(file.bytes)).header
        let expected = ["\(rows.count + 1)"] + ([header] + rows).flatMap { ["\($0.count)"] + $0 }
        #expect(answer.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test func `CSV of KeePassXC has its dates`() throws {
        var record = PasswordRecord.login
        // The leap day of 2000, its last second, and 9999.
        (record.created, record.changed) = (951_868_799, 253_402_300_799)
        let answer = try answer(WrittenFile(.keePassXC, [record]), "csv").map { String(decoding: $0, as: UTF8.self) }
        #expect(answer.suffix(2) == ["9999-12-31T23:59:59Z", "2000-02-29T23:59:59Z"])
    }

    @Test func `the exchange format has the strings of each record`() throws {
        var expected = ["coffer", "Coffer", "-_8", "", ""]
        var records = records()
        for index in records.indices {
            (records[index].folders, records[index].oneTimePasswords) = ([], [])
            let record = records[index]
            let secret = record.secret?.text ?? ""
            expected += ["", record.title] + record.sites
            expected += ["basic-auth", "string", record.account, "concealed-string", secret]
            if let notes = record.notes { expected += ["note", "string", notes.text] }
            expected += record.tags
        }
        var answer = try answer(WrittenFile(.cxf, records), "strings").map { String(decoding: $0, as: UTF8.self) }
        // The ids of the items, which have 15 letters.
        for index in answer.indices where answer[index].hasPrefix("-_8B") { answer[index] = "" }
        #expect(answer.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test func `our own form has all that the items have`() throws {
        var generator = SeededGenerator(seed: 8)
        let items = (0..<300).map { _ in ExportedItem.random(using: &generator) }
        let expected = [Array("300".utf8)] + items.flatMap(\.parts)
        let answer = try answer(WrittenFile(items), "items")
        #expect(answer.count == expected.count)
        for (answer, expected) in zip(answer, expected) { #expect(answer == expected) }
    }
}

extension ExportedItem {
    /// What the oracle says of an item.
    fileprivate var parts: [[UInt8]] {
        let deletion = deleted?.secondsSinceReferenceDate.bytes ?? Array("-".utf8)
        return [conflicts, history].reduce(current.parts + [deletion]) { parts, revisions in
            parts + [Array("\(revisions.count)".utf8)] + revisions.flatMap(\.parts)
        }
    }
}

extension ExportedItem.Revision {
    fileprivate var parts: [[UInt8]] {
        var parts = [itemClass, group, protection, accessControl.map { "\($0.flags)" } ?? "-"].map { Array($0.utf8) }
        parts.append(accessControl?.enrolled ?? [])
        parts.append(Array((isSynchronizable ? "True" : "False").utf8))
        parts += [created, modified, written].map { $0?.secondsSinceReferenceDate.bytes ?? Array("-".utf8) }
        parts.append(Array("\(attributes.count)".utf8))
        for (name, value) in attributes { parts += [Array(name.utf8), value.bytes] }
        parts.append(secret.map { Array("+".utf8) + $0.array } ?? Array("-".utf8))
        return parts
    }
}

extension ExportedItem.Value {
    fileprivate var bytes: [UInt8] {
        switch self {
        case .text(let text): Array("text ".utf8) + text.array
        case .bytes(let bytes): Array("bytes ".utf8) + bytes.array
        case .integer(let number): Array("integer \(number)".utf8)
        case .real(let number): Array("real ".utf8) + number.bytes
        case .bool(let isTrue): Array("bool \(isTrue ? 1 : 0)".utf8)
        case .date(let date): Array("date ".utf8) + date.secondsSinceReferenceDate.bytes
        }
    }
}

extension Double {
    /// The bytes of the number, the highest first; all that are no number are the same.
    fileprivate var bytes: [UInt8] {
        let bits = isNaN ? Double.nan.bitPattern : bitPattern
        return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    }
}
