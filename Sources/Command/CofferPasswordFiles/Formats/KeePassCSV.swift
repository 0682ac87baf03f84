internal import CofferBasics

extension Form where Content == CSVTable {
    /// KeePassXC; `TOTP` and the columns after it exist since 2.6.2.
    static var keePassXC: Form {
        Form(
            matches: { $0.hasColumns("group", "title", "username", "password") },
            read: { table, _ in
                var file = try table.file("KeePassXC CSV") { reader in
                    reader.take(title: "title", account: "username", password: "password", notes: "notes")
                    reader.record.folders = reader.text("group").split(separator: "/").map(String.init)
                    reader.site("url")
                    reader.oneTimePassword("totp")
                    // Icon 0 is the usual one.
                    if reader.row["icon"]?.text == "0" { _ = reader.text("icon") }
                    reader.fields("Icon")
                    reader.record.changed = reader.date("Last Modified")
                    reader.record.created = reader.date("Created")
                }
                dropRoot(of: &file)
                file.remarks.append(
                    "KeePassXC never exports custom fields, further addresses, attachments, tags, history and passkeys as "
                        + "CSV; export XML to have them"
                )
                return file
            }
        )
    }

    /// The outermost group of a database is not a folder; its name is whatever the user wants.
    private static func dropRoot(of file: inout PasswordFile) {
        let roots = Set(file.records.map { $0.folders.first ?? "" })
        guard let root = roots.first, roots.count == 1, !root.isEmpty else { return }
        for index in file.records.indices {
            file.records[index].folders.removeFirst()
            file.records[index].isTrashed = file.records[index].folders.first == "Recycle Bin"
        }
        file.losses.append("the name of the outermost group, \(root.printable), which contains all others")
    }

    /// KeePass 1, whose user may choose the columns.
    static var keePass1: Form {
        Form(
            matches: { table in
                table.hasColumns("account", "password")
                    && ["login name", "web site"].contains { table.column($0) != nil }
            },
            read: { table, _ in
                try table.withLikelyEscapes().file("KeePass 1 CSV") { reader in
                    reader.take(title: "account", account: "login name", password: "password", notes: "comments")
                    reader.site("web site")
                    // The tree has the groups around the group.
                    reader.record.folders = reader.text("group tree").parts("\\")
                    let group = reader.text("group")
                    if !group.isEmpty { reader.record.folders.append(group) }
                    reader.record.created = reader.date("Creation Time")
                    reader.record.changed = reader.date("Last Modification")
                    reader.fields("Last Access", "Expires", "UUID", "Icon")
                    reader.hiddenFields("Attachment Description", "Attachment")
                }
            }
        )
    }
}

extension CSVTable {
    /// The same file read with backslashes as escapes, if that is how it was written.
    ///
    /// Of two readings, the one with fewer broken rows is right. If they have equally many, backslashes are escapes unless
    /// one of them stands alone.
    fileprivate func withLikelyEscapes() throws -> CSVTable {
        let escaped = try CSVTable(bytes, escapes: .backslash)
        let (count, escapedCount) = (irregularRowCount, escaped.irregularRowCount)
        if count != escapedCount { return count < escapedCount ? self : escaped }
        return escaped.hasLoneBackslash ? self : escaped
    }

    private var hasLoneBackslash: Bool {
        bytes.withSpan { bytes in
            cells.contains { cell in
                var index = cell.range.lowerBound
                while index < cell.range.upperBound {
                    defer { index += 1 }
                    guard cell.form != .plain, bytes[index] == UInt8(ascii: "\\") else { continue }
                    index += 1
                    guard index < cell.range.upperBound,
                        bytes[index] == UInt8(ascii: "\\") || bytes[index] == UInt8(ascii: "\"")
                    else { return true }
                }
                return false
            }
        }
    }
}
