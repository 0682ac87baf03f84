internal import CofferBasics

extension Form where Content == CSVTable {
    /// The files of Dashlane, of which its archive has one each.
    static var dashlane: [Form] {
        [
            dashlane("credentials", ["username", "username2", "username3", "title", "password"]) { reader in
                reader.take(title: "title", account: "username", password: "password", notes: "note")
                // Either may be the account, and the other an address of mail.
                if reader.record.account.isEmpty { reader.record.account = reader.text("username2") }
                reader.record.folders = [reader.text("category")].filter { !$0.isEmpty }
                reader.site("url")
                reader.oneTimePassword("otpUrl", "otpSecret")
                reader.fields("username2", "username3")
            },
            dashlane("payments", ["account_holder", "cc_number"]) { reader in
                let type = reader.text("type")
                reader.record.kind = type == "credit_card" ? .card : .other
                reader.record.title = reader.text("name")
                if reader.record.title.isEmpty { reader.record.title = reader.text("account_name") }
                reader.record.notes = reader.secret("note")
                if !["", "credit_card"].contains(type) {
                    reader.record.fields.append(PasswordRecord.Field("type", type))
                }
                reader.fields("account_name", "account_holder")
                reader.hiddenFields("cc_number", "code", "expiration_month", "expiration_year")
                reader.hiddenFields("routing_number", "account_number")
                reader.fields("country", "issuing_bank")
            },
            dashlane("IDs", ["number", "issue_date", "expiration_date", "place_of_issue"]) { reader in
                reader.record.kind = .identity
                reader.record.title = reader.text("type")
                reader.hiddenFields("number")
                reader.fields("name", "issue_date", "expiration_date", "place_of_issue", "state")
            },
            dashlane("personal info", ["type", "first_name", "last_name", "address_door_code"]) { reader in
                reader.record.kind = .identity
                reader.record.title = reader.text("item_name")
                if reader.record.title.isEmpty {
                    reader.record.title = reader.text("type")
                } else {
                    reader.fields("type")
                }
            },
            Form("Dashlane CSV of secure notes") {
                Set($0.header.map { $0.lowercased() }) == ["title", "note"]
            } row: { reader in
                reader.record.kind = .note
                reader.record.title = reader.text("title")
                reader.record.secret = reader.secret("note")
            },
        ]
    }

    private static func dashlane(
        _ part: String,
        _ names: [String],
        _ read: @escaping @Sendable (inout RowReader) -> Void
    ) -> Form {
        Form(
            "Dashlane CSV of \(part)",
            remark: "Dashlane never exports passkeys, attachments, former passwords and who shares an item",
            matches: { table in names.allSatisfy { table.column($0) != nil } },
            row: read
        )
    }
}
