internal import CofferBasics

extension Form where Content == CSVTable {
    /// Apple Passwords and Safari; the first version (2021) had neither `Notes` nor `OTPAuth`.
    static var apple: Form {
        Form(
            matches: { table in
                table.hasColumns("title", "url", "username", "password")
                    && !["group", "favorite", "type"].contains { table.column($0) != nil }
            },
            read: { table, _ in
                AppleRows.joined(try table.file("Apple Passwords CSV", AppleRows.read))
            }
        )
    }
}

private enum AppleRows {
    static func read(_ reader: inout RowReader) {
        reader.take(title: "title", account: "username", password: "password", notes: "notes")
        // The program makes titles such as `example.com (alice)`.
        let tail = " (\(reader.record.account))"
        if !reader.record.account.isEmpty, reader.record.title.hasSuffix(tail) {
            reader.record.title.removeLast(tail.count)
        }
        reader.site("url")
        reader.oneTimePassword("otpauth")
    }

    /// Joins rows that differ only in their site: the file has one row for each site of an entry.
    static func joined(_ file: PasswordFile) -> PasswordFile {
        var joined = file
        joined.records = []
        var indices: [Key: Int] = [:]
        // Sets of sites: an entry may have as many as the file has rows.
        var sites: [Int: Set<String>] = [:]
        for record in file.records {
            let key = Key(record)
            if let index = indices[key], let site = record.sites.first, joined.records[index].hasSame(as: record),
                sites[index, default: [site]].insert(site).inserted
            {
                joined.records[index].sites.append(site)
                joined.records[index].place += " and \(record.place)"
            } else {
                indices[key] = joined.records.count
                if !record.sites.isEmpty { sites[joined.records.count] = Set(record.sites) }
                joined.records.append(record)
            }
        }
        joined.remarks = ["Apple never exports passkeys, Wi-Fi passwords, shared groups, dates and former passwords"]
        return joined
    }

    private struct Key: Hashable {
        let title: String
        let account: String
        /// Of the secrets, which may not be copied into a key.
        let hash: Int

        init(_ record: PasswordRecord) {
            (title, account) = (record.title, record.account)
            var hasher = Hasher()
            for secret in [record.secret, record.notes] + record.oneTimePasswords.map({ $0 }) {
                secret?.withSpan { bytes in for index in bytes.indices { hasher.combine(bytes[index]) } }
                hasher.combine(secret == nil)
            }
            hash = hasher.finalize()
        }
    }
}

extension PasswordRecord {
    /// Whether all that is secret is the same.
    fileprivate func hasSame(as other: PasswordRecord) -> Bool {
        secret == other.secret && notes == other.notes
            && fields.isEmpty && other.fields.isEmpty && oneTimePasswords == other.oneTimePasswords
    }
}
