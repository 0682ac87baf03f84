internal import CofferBasics

extension Form where Content == CSVTable {
    /// 1Password 8.
    static var onePassword: Form {
        Form(
            "1Password CSV",
            remark: "1Password never exports items other than logins, custom fields, files and former passwords as "
                + "CSV; export 1PUX to have them",
            matches: { $0.hasColumns("title", "url", "favorite", "archived", "tags") },
            row: { reader in
                reader.take(title: "title", account: "username", password: "password", notes: "notes")
                reader.site("url")
                reader.oneTimePassword("otpauth")
                reader.record.isFavorite = reader.flag("favorite")
                reader.record.isArchived = reader.flag("archived")
                let tags = reader.text("tags")
                reader.record.tags = tags.parts(tags.contains(";") ? ";" : ",")
            }
        )
    }
}
