import CofferBasics
import CofferPasswordFiles

/// A file that was written for a test.
struct WrittenFile {
    let bytes: [UInt8]
    let losses: [String]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes records in a form; the bytes are taken away after each record.
    init(_ form: ExportForm, _ records: [PasswordRecord]) {
        let output = SecretBuilder()
        var bytes: [UInt8] = []
        func take() {
            output.withSpan { bytes.append(copying: $0) }
            output.removeAll()
        }
        var writer = PasswordFileWriter(form, to: output, time: 1_767_225_600, identifier: [0xFB, 0xFF])
        take()
        for record in records {
            writer.write(record)
            take()
        }
        writer.end()
        take()
        self.bytes = bytes
        losses = writer.losses.map { "\($0.what): \($0.count)" }
    }

    /// Writes items in the form of Coffer's own export.
    init(_ items: [ExportedItem]) {
        let output = SecretBuilder()
        let writer = ExportedItemWriter(to: output)
        for item in items { writer.write(item) }
        writer.end()
        bytes = output.held.array
        losses = []
    }
}

extension PasswordRecord {
    /// A login with what most programs have.
    static var login: PasswordRecord {
        var record = PasswordRecord(at: "item 1")
        record.title = "Mail"
        record.sites = ["https://mail.example.com/login"]
        record.account = "kim"
        record.secret = HeldSecret("p,\"q\"")
        record.notes = HeldSecret("one\ntwo")
        record.oneTimePasswords = [HeldSecret("otpauth://totp/Mail:kim?secret=JBSWY3DPEHPK3PXP")]
        // 2026-01-01T00:00:00Z and 2026-01-31T12:30:00Z.
        (record.created, record.changed) = (1_767_225_600, 1_769_862_600)
        return record
    }

    /// A login with all that a record can have.
    static var everything: PasswordRecord {
        var record = login
        record.sites.append("https://example.org")
        record.realm = "Staff"
        record.oneTimePasswords.append(HeldSecret("otpauth://hotp/x?secret=JBSWY3DPEHPK3PXP&counter=7"))
        record.fields = [
            Field("PIN", HeldSecret("1234"), isHidden: true), Field("color", HeldSecret("blue: light")),
            Field("size", HeldSecret("2\n3")),
        ]
        record.folders = ["Work", "a/b"]
        record.tags = ["x;y", "z"]
        (record.isFavorite, record.isArchived, record.isTrashed) = (true, true, true)
        record.formerSecrets = [FormerSecret(HeldSecret("old"), time: 1), FormerSecret(HeldSecret("older"), time: nil)]
        record.attachments = [Attachment("a.txt", HeldSecret("a"))]
        record.passkeys = [
            Passkey(
                relyingParty: "example.com",
                userName: "kim",
                displayName: "Kim",
                credentialID: [1, 2, 3, 4],
                userHandle: [0xFF, 0xEF],
                key: HeldSecret("key")
            )
        ]
        record.appleItem = AppleItem(itemClass: "genp", attributes: [("gena", [1]), ("crtr", [2])])
        return record
    }

    static func note(_ text: String) -> PasswordRecord {
        var record = PasswordRecord(.note, at: "item 2")
        record.title = "Note"
        record.secret = HeldSecret(text)
        return record
    }
}
