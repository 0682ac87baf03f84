internal import CofferBasics

extension Form where Content == ZipArchive {
    /// Archives of Safari and Dashlane, which contain CSV files.
    ///
    /// The names of Safari's files depend on the language, so a file is recognized by its header.
    static var csvFiles: Form {
        Form(
            matches: { archive in archive.entries.contains { $0.isCSV } },
            read: { archive, options in
                var file = PasswordFile(form: "", byteCount: archive.byteCount)
                for part in archive.refused { try file.refuse(part) }
                var unknown: [(name: String, table: CSVTable)] = []
                var problem: PasswordFileError?
                for entry in archive.entries {
                    guard entry.isCSV else {
                        file.losses.append("\(entry.name.printable) in the archive was not read")
                        continue
                    }
                    let part: PasswordFile
                    do {
                        let table = try CSVTable(archive.content(of: entry).convertedFromUTF16())
                        guard let form = Form<CSVTable>.all.first(where: { $0.matches(table) }) else {
                            unknown.append((entry.name, table))
                            continue
                        }
                        part = try form.read(table, options)
                    } catch {
                        let error = PasswordFileError(error)
                        problem = error
                        try file.refuse("\(entry.name.printable): \(error.description)")
                        continue
                    }
                    try file.add(part, from: entry.name)
                }
                guard !file.form.isEmpty else { throw problem ?? .unknownForm }
                for (name, table) in unknown { try file.add(readUnknown(table), from: name) }
                // Several files of one program lack the same.
                var known: Set<String> = []
                file.losses.removeAll { !known.insert($0).inserted }
                file.remarks.removeAll { !known.insert($0).inserted }
                return file
            }
        )
    }

    /// A file with other columns, such as the Wi-Fi networks of newer versions of Dashlane.
    private static func readUnknown(_ table: CSVTable) throws -> PasswordFile {
        var file = try table.file("unknown CSV") { reader in
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
    fileprivate mutating func add(_ part: PasswordFile, from name: String) throws {
        form += form.isEmpty ? "archive with \(part.form)" : " and \(part.form)"
        // All records have it.
        let name = name.shortened.printable
        for var record in part.records {
            record.place = "\(name), \(record.place)"
            try append(record)
        }
        for part in part.refused { try refuse("\(name), \(part)") }
        losses += part.losses
        remarks += part.remarks
    }
}
