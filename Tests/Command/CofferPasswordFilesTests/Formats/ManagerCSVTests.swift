import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("CSV of password managers") struct ManagerCSVTests {
    private let code = "algorithm=SHA1&digits=6&period=30"

    @Test func `Bitwarden: folders, sites, fields and notes`() throws {
        let file = try Samples.file("bitwarden.csv")
        #expect(file.form == "Bitwarden CSV")
        #expect(
            file.summaries == [
                [
                    "login line 2", "title: Example", "site: https://example.com", "site: https://example.org/a",
                    "account: alice", "secret: secret", "notes: a note",
                    "otp: otpauth://totp/Example:alice?secret=JBSWY3DP&issuer=Example&\(code)", "hidden PIN: 1234",
                    "hidden url: https://x: y", "hidden fields: PIN: 1234\nurl: https://x: y",
                    "folders: Work > Servers", "favorite",
                    "loss: the custom fields are ambiguous in CSV; their text was also kept as a whole",
                ],
                ["note line 4", "title: Recipe", "secret: line 1\nline 2"],
                [
                    "login line 6", "title: Hosts", "site: example.com", "site: example.org", "account: bob",
                    "secret: pw",
                    "field login_uri: example.com,example.org", "hidden fields: plain text",
                    "loss: the custom fields are ambiguous in CSV; their text was also kept as a whole",
                    "loss: the setting to ask for the master password again",
                ],
                ["other line 7", "title: New kind", "field type: card"],
            ]
        )
    }

    @Test func `Bitwarden: collections, and the columns of 2017`() throws {
        let file = try Samples.file("bitwarden-organization.csv")
        #expect(file.form == "Bitwarden CSV of an organization")
        #expect(
            file.summaries == [
                [
                    "login line 2", "title: Example", "site: https://example.com", "account: alice", "secret: secret",
                    "folders: Team > Web", "tags: Shared",
                ]
            ]
        )
        #expect(
            try Samples.file("bitwarden-2017.csv").summaries == [
                [
                    "login line 2", "title: Example", "site: https://example.com", "account: alice", "secret: secret",
                    "notes: a note", "otp: otpauth://totp/Example:alice?secret=JBSWY3DP&issuer=Example&\(code)",
                    "folders: Work",
                ]
            ]
        )
    }

    @Test func `1Password: flags, tags, and a code that is none`() throws {
        let file = try Samples.file("1password.csv")
        #expect(file.form == "1Password CSV")
        #expect(
            file.summaries == [
                [
                    "login line 2", "title: Example", "site: https://example.com", "account: alice", "secret: secret",
                    "notes: a note", "otp: otpauth://totp/Example:alice?secret=JBSWY3DP&issuer=Example&\(code)",
                    "tags: work + web", "favorite",
                ],
                [
                    "login line 3", "title: Old", "account: bob", "secret: pw", "hidden otpauth: not base32!",
                    "tags: one",
                    "archived",
                    "loss: the one-time password was kept as a field: its secret is not base32",
                ],
            ]
        )
    }

    @Test func `KeePassXC: the root group, dates and the recycle bin`() throws {
        let file = try Samples.file("keepassxc.csv")
        #expect(file.form == "KeePassXC CSV")
        #expect(
            file.summaries == [
                [
                    "login line 2", "title: Example", "site: https://example.com", "account: alice", "secret: a\"b",
                    "notes: note", "otp: otpauth://totp/Example:alice?secret=JBSWY3DP&issuer=Example&\(code)",
                    "folders: Web > Mail", "created: 1769862615", "changed: 1769862615",
                ],
                [
                    "login line 3", "title: Gone", "field Icon: 27", "field Last Modified: never",
                    "folders: Recycle Bin",
                    "trashed", "created: 1769862615",
                ],
                ["login line 4", "title: Top", "account: bob", "secret: \\", "field Icon: 1"],
            ]
        )
        #expect(file.losses.first == "the name of the outermost group, Passwords, which contains all others")
    }

    @Test func `KeePassXC before 2.6.2: six columns, and equal rows stay apart`() throws {
        #expect(
            try Samples.file("keepassxc-2.6.1.csv").summaries == [
                [
                    "login line 2", "title: Example", "site: https://example.com", "account: alice", "secret: secret",
                    "folders: Root > Mail",
                ],
                ["login line 3", "title: Example", "account: alice", "secret: secret", "folders: Other"],
            ]
        )
    }

    @Test func `KeePass 1: backslashes as escapes`() throws {
        let file = try Samples.file("keepass1.csv")
        #expect(file.form == "KeePass 1 CSV")
        #expect(
            file.summaries == [
                [
                    "login line 2", "title: Example", "site: https://example.com", "account: alice",
                    "secret: a\"b\\c\"",
                    "notes: say \"hi\", twice\r\nand more",
                ],
                ["login line 4", "title: Second", "account: bob", "secret: pw"],
            ]
        )
    }

    @Test func `KeePass 1: doubled quotes, and columns that the user chose`() throws {
        #expect(
            try Samples.file("keepass1-all.csv").summaries == [
                [
                    "login line 2", "title: Example", "site: https://example.com", "account: alice", "secret: sec\"ret",
                    "notes: C:\\dir", "field Last Access: 2026-01-31T12:30:16", "field Expires: Never",
                    "field UUID: 0A0B", "field Icon: 3", "hidden Attachment Description: key.txt",
                    "hidden Attachment: data", "folders: Web > Mail > Old", "created: 1769862615",
                    "changed: 1769862617",
                ]
            ]
        )
    }

    @Test(arguments: [
        // A password that ends in a backslash, in a file of doubled quotes: the other reading breaks the row.
        (#""a","b","c\","d","e""#, "c\\"), (#""a","b","c\"","d","e""#, "c\""),
        (#""a","b","c""d\\e","d","e""#, "c\"d\\e"),
        (#""a","b","\\srv\dir","d","e""#, #"\\srv\dir"#), (#"a,b,c\\d,d,e"#, #"c\\d"#),
    ])
    func `KeePass 1: the escapes are those that fit the file`(row: String, password: String) throws {
        let header = "\"Account\",\"Login Name\",\"Password\",\"Web Site\",\"Comments\"\n"
        let file = try PasswordFile.read(HeldSecret(header + row + "\n"), name: "a.csv")
        #expect(file.records.map { $0.secret?.text } == [password])
    }

    @Test func `generic CSV: the columns that the user names, and all others as fields`() throws {
        var options = ReadingOptions()
        options.columns = CSVColumns()
        options.columns?.title = "what"
        options.columns?.site = "WHERE"
        options.columns?.account = "who"
        options.columns?.password = "key"
        options.columns?.notes = "memo"
        options.columns?.oneTimePassword = "code"
        let text = "What;Where;Who;Key;Memo;Code;PIN;Key\na; https://a.example ;b; c ;d;JBSWY3DP;12;e\n"
        let file = try PasswordFile.read(HeldSecret(text), name: "a.csv", options: options)
        #expect(
            file.summaries == [
                [
                    "login line 2", "title: a", "site: https://a.example", "account: b", "secret:  c ", "notes: d",
                    "otp: otpauth://totp/a:b?secret=JBSWY3DP&issuer=a&\(code)", "hidden PIN: 12", "hidden Key: e",
                ]
            ]
        )
        options.columns?.title = "name"
        let error = fileError { _ = try PasswordFile.read(HeldSecret(text), name: "a.csv", options: options) }
        #expect(error == .invalid("the file has no column name"))
    }
}
