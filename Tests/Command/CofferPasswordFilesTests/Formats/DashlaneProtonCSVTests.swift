import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("CSV of Dashlane and Proton Pass, and archives of CSV") struct DashlaneProtonCSVTests {
    private let code = "algorithm=SHA1&digits=6&period=30"

    @Test func `Dashlane: credentials with three user names`() throws {
        let file = try Samples.file("dashlane-credentials.csv")
        #expect(file.form == "Dashlane CSV of credentials")
        #expect(
            file.summaries == [
                [
                    "login line 2", "title: Example", "site: example.com", "account: alice@example.com",
                    "secret: secret", "notes: a note",
                    "otp: otpauth://totp/Example:alice@example.com?secret=JBSWY3DP&issuer=Example&\(code)",
                    "field username2: alice", "field username3: al", "folders: Work",
                ],
                ["login line 3", "title: Second", "account: bob"],
            ]
        )
        #expect(
            try Samples.file("dashlane-credentials-2023.csv").summaries == [
                [
                    "login line 2", "title: Example", "site: https://example.com", "account: alice", "secret: secret",
                    "otp: otpauth://totp/Example:alice?secret=JBSWY3DP&issuer=Example&\(code)",
                ]
            ]
        )
    }

    @Test func `Dashlane: notes, payments, identity cards and personal data`() throws {
        #expect(
            try Samples.file("dashlane-securenotes.csv").summaries == [
                ["note line 2", "title: Memo", "secret: line 1\nline 2"]
            ]
        )
        #expect(
            try Samples.file("dashlane-payments.csv").summaries == [
                [
                    "card line 2", "title: My card", "notes: note", "field account_name: Visa",
                    "field account_holder: Alice", "hidden cc_number: 4111111111111111", "hidden code: 123",
                    "hidden expiration_month: 06", "hidden expiration_year: 2028", "field country: US",
                    "field issuing_bank: Bank",
                ],
                [
                    "other line 3", "title: Savings", "field type: bank", "field account_holder: Alice",
                    "hidden routing_number: 1100", "hidden account_number: 2200", "field country: US",
                    "field issuing_bank: Bank",
                ],
            ]
        )
        #expect(
            try Samples.file("dashlane-ids.csv").summaries == [
                [
                    "identity line 2", "title: passport", "hidden number: X123", "field name: Alice",
                    "field issue_date: 2020-3-9", "field expiration_date: 2030-3-9", "field place_of_issue: Bern",
                ]
            ]
        )
        #expect(
            try Samples.file("dashlane-personalInfo.csv").summaries == [
                [
                    "identity line 2", "title: name", "hidden title: MR", "hidden first_name: Al",
                    "hidden last_name: Ice",
                    "hidden login: alice", "hidden date_of_birth: 2000-01-01", "hidden place_of_birth: Bern",
                ],
                [
                    "identity line 3", "title: Home", "field type: address", "hidden address: Street 1",
                    "hidden country: CH", "hidden city: Bern", "hidden zip: 3000", "hidden address_floor: 2",
                    "hidden address_door_code: 1234",
                ],
            ]
        )
    }

    @Test func `Proton Pass: addresses of mail, notes, cards`() throws {
        let file = try Samples.file("proton.csv")
        #expect(file.form == "Proton Pass CSV")
        let dates = ["created: 1769862615", "changed: 1769862616"]
        #expect(
            file.summaries == [
                [
                    "login line 2", "title: Example", "site: https://example.com", "site: https://example.org",
                    "account: alice", "secret: secret", "notes: a note",
                    "otp: otpauth://totp/Example:alice?secret=JBSWY3DP&issuer=Example&\(code)",
                    "field email: alice@example.com", "folders: Personal",
                ] + dates,
                [
                    "other line 3", "title: Alias", "account: x.y@alias.example", "field type: alias",
                    "folders: Personal",
                ]
                    + dates,
                ["note line 4", "title: Memo", "secret: text", "folders: Work"] + dates,
                [
                    "card line 5", "title: Card", "notes: mine", "hidden cardholderName: Alice", "hidden cardType: 0",
                    "hidden number: 4111111111111111", "hidden verificationNumber: 123", "folders: Work",
                ] + dates,
            ]
        )
    }

    @Test func `Proton Pass since 2026: addresses with modes`() throws {
        let dates = ["created: 1769862615", "changed: 1769862616"]
        #expect(
            try Samples.file("proton-2026.csv").summaries == [
                [
                    "login line 2", "title: Example", "site: https://example.com/", "site: https://exact.example.com/",
                    "account: alice@example.com", "secret: secret",
                    "field autofill never: https://never.example.com/", "field autofill pattern: *.example.com",
                    "folders: Personal",
                ] + dates + ["loss: address 2 has the mode 1"],
                ["wifi line 3", "title: Home", "secret: wlan-key", "field type: wifi", "folders: Personal"] + dates,
            ]
        )
    }

    @Test func `the archive of Safari has its CSV under any name`() throws {
        var writer = ZipWriter()
        let csv = try Samples.bytes("apple-2021.csv")
        writer.add("Passw\u{F6}rter.csv", HeldSecret(copying: csv.span))
        writer.add("Bookmarks.html", HeldSecret("<html>"))
        writer.add("History.json", HeldSecret("{}"))
        let file = try PasswordFile.read(writer.written(), name: "Safari.zip")
        #expect(file.form == "archive with Apple Passwords CSV")
        #expect(file.records.map(\.place) == ["Passw\u{F6}rter.csv, line 2"])
        #expect(
            file.losses.filter { $0.contains("was not read") } == [
                "Bookmarks.html in the archive was not read", "History.json in the archive was not read",
            ]
        )
    }

    @Test func `the archive of Dashlane has several files, and one that cannot be read stops none`() throws {
        var writer = ZipWriter()
        for name in ["credentials", "securenotes", "payments", "ids", "personalInfo"] {
            let csv = try Samples.bytes("dashlane-\(name).csv")
            writer.add("\(name).csv", HeldSecret(copying: csv.span))
        }
        writer.add("wifi.csv", HeldSecret("ssid,passphrase,encryption\nHome,key,WPA2\n"))
        writer.add("broken.csv", HeldSecret("a,b\n\u{0}"))
        writer.add("empty.csv", HeldSecret(""))
        let file = try PasswordFile.read(writer.written(), name: "dashlane.zip")
        #expect(file.records.count == 10)
        #expect(
            file.summaries.suffix(2) == [
                ["wifi wifi.csv, line 2", "title: Home", "secret: key", "hidden encryption: WPA2"],
                ["other broken.csv, line 2", "hidden a: \0"],
            ]
        )
        #expect(file.refused == ["empty.csv: not a file of a known program"])
        #expect((file.losses.count, file.remarks.count) == (1, 1))
        var nothing = ZipWriter()
        nothing.add("other.csv", HeldSecret("a,b\n1,2\n"))
        #expect(fileError { _ = try PasswordFile.read(nothing.written(), name: "a.zip") } == .unknownForm)
    }
}
