internal import CofferBasics

extension Form where Content == CSVTable {
    /// 1Password 8.
    static var onePassword: Form {
        Form(
            matches: { $0.hasColumns("title", "url", "favorite", "archived", "tags") },
            read: { table, _ in
                var file = table.file("1Password CSV") { reader in
                    reader.record.title = reader.text("title")
                    reader.record.account = reader.text("username")
                    reader.record.secret = reader.secret("password")
                    reader.record.notes = reader.secret("notes")
                    reader.site("url")
                    reader.oneTimePassword("otpauth")
                    reader.record.isFavorite = reader.flag("favorite")
                    reader.record.isArchived = reader.flag("archived")
                    let tags = reader.text("tags")
                    reader.record.tags = tags.parts(tags.contains(";") ? ";" : ",")
                }
                file.losses.append(
                    "1Password never exports items other than logins, custom fields, files and former passwords as CSV; "
                        + "export 1PUX to have them"
                )
                return file
            }
        )
    }
}
