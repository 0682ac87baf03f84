internal import CofferBasics

extension Form where Content == ZipArchive {
    /// Archives of Safari and Dashlane, which contain CSV files.
    ///
    /// The names of Safari's files depend on the language, so a file is recognized by its header.
    static var csvFiles: Form {
        Form(
            matches: { archive in archive.entries.contains { $0.isCSV } },
            read: { archive, options throws(PasswordFileError) in
                var file = PasswordFile(form: "")
                file.refused = archive.refused
                var unknown: [(name: String, table: CSVTable)] = []
                for entry in archive.entries {
                    guard entry.isCSV else {
                        file.losses.append("\(entry.name.printable) in the archive was not read")
                        continue
                    }
                    do throws(PasswordFileError) {
                        let table = try CSVTable(archive.content(of: entry).convertedFromUTF16())
                        if let form = Form<CSVTable>.all.first(where: { $0.matches(table) }) {
                            file.add(try form.read(table, options), from: entry.name)
                        } else {
                            unknown.append((entry.name, table))
                        }
                    } catch {
                        file.refused.append("\(entry.name.printable): \(error.description)")
                    }
                }
                guard !file.form.isEmpty else { throw .unknownForm }
                for (name, table) in unknown { file.add(readUnknown(table), from: name) }
                return file
            }
        )
    }

    /// A file with other columns, such as the Wi-Fi networks of newer versions of Dashlane.
    private static func readUnknown(_ table: CSVTable) -> PasswordFile {
        var file = table.file("unknown CSV") { reader in
            reader.record.kind = reader.row.table.column("ssid") == nil ? .other : .wifi
            reader.record.title = reader.text("title", "name", "item_name", "ssid")
            reader.record.secret = reader.secret("password", "passphrase")
            reader.record.notes = reader.secret("note", "notes")
        }
        file.losses.append("a file of the archive has unknown columns, which became fields")
        return file
    }
}

extension ZipArchive.Entry {
    fileprivate var isCSV: Bool { name.lowercased().hasSuffix(".csv") }
}

extension PasswordFile {
    /// Adds what a file in an archive has.
    fileprivate mutating func add(_ part: PasswordFile, from name: String) {
        form += form.isEmpty ? "archive with \(part.form)" : " and \(part.form)"
        for var record in part.records {
            record.place = "\(name.printable), \(record.place)"
            records.append(record)
        }
        refused += part.refused.map { "\(name.printable), \($0)" }
        // Several files of one program lack the same.
        let known = Set(losses)
        losses += part.losses.filter { !known.contains($0) }
    }
}
