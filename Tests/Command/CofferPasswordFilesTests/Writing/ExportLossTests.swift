import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("Losses of an export") struct ExportLossTests {
    @Test func `Chrome lacks what only other programs have`() {
        #expect(
            WrittenFile(.chrome, [.everything]).losses == [
                "realms of HTTP authentication: 1", "one-time passwords: 1", "further one-time passwords: 1",
                "fields: 3",
                "folders: 1", "tags: 2", "favorites that become ordinary records: 1",
                "archived records that become ordinary records: 1", "deleted records that become ordinary records: 1",
                "former passwords: 2", "attachments: 1", "passkeys: 1", "records without their dates: 1",
                "attributes of keychain items: 2",
            ]
        )
    }

    @Test func `Bitwarden cannot have fields with a line end or its separator`() {
        let losses = WrittenFile(.bitwarden, [.everything]).losses
        #expect(losses.contains("fields: 2"))
        #expect(losses.contains("hidden fields that Bitwarden will show: 1"))
        #expect(losses.contains("names that Bitwarden will split at a separator: 1"))
        #expect(WrittenFile(.bitwarden, [.everything]).text.contains(",PIN: 1234,"))
    }

    @Test func `the exchange format lacks only a few parts`() {
        #expect(
            WrittenFile(.cxf, [.everything]).losses == [
                "one-time passwords that are written as hidden fields: 1",
                "archived records that become ordinary records: 1",
                "deleted records that become ordinary records: 1", "former passwords: 2", "attachments: 1",
                "attributes of keychain items: 2",
            ]
        )
    }

    @Test func `1Password splits tags at semicolons`() {
        #expect(
            WrittenFile(.onePassword, [.everything]).losses.contains(
                "names that 1Password will split at a separator: 1"
            )
        )
    }

    @Test(arguments: ExportForm.allCases)
    func `values that are not text are left out and counted`(form: ExportForm) {
        var record = PasswordRecord.login
        let bytes: [UInt8] = [0x61, 0xFF]
        record.secret = HeldSecret(copying: bytes.span)
        let file = WrittenFile(form, [record])
        #expect(file.losses.contains("values that are not text: 1"))
        #expect(String(validating: file.bytes, as: UTF8.self) != nil)
    }

    @Test func `carriage returns are counted where programs replace them`() {
        var record = PasswordRecord.login
        record.secret = HeldSecret("a\rb")
        for form in ExportForm.allCases {
            let isCounted = WrittenFile(form, [record]).losses.contains { $0.hasPrefix("values with carriage returns") }
            #expect(isCounted == [.bitwarden, .keePassXC].contains(form))
        }
    }

    // MARK: - What a program refuses

    private func losses(_ form: ExportForm, _ change: (inout PasswordRecord) -> Void) -> [String] {
        var record = PasswordRecord(at: "item 1")
        (record.sites, record.account, record.secret) = (["https://example.com"], "kim", HeldSecret("x"))
        change(&record)
        return WrittenFile(form, [record]).losses
    }

    @Test func `rows without a password are refused by browsers only`() {
        for form in ExportForm.allCases {
            let expected =
                [.chrome, .firefox].contains(form)
                ? ["rows without a password, which \(form.program) refuses: 1"] : []
            #expect(losses(form) { $0.secret = nil } == expected)
            #expect(losses(form) { $0.secret = HeldSecret("") } == expected)
        }
    }

    @Test(arguments: [
        "example.com", "ftp://example.com", "", "https://", "https:///x", "https://:80/", "https://a b/", "1x://a",
    ])
    func `Chrome refuses what is not a web address`(site: String) {
        let expected = ["rows whose address is not a web address, which Chrome refuses: 1"]
        #expect(losses(.chrome) { $0.sites = [site] } == expected)
    }

    @Test(arguments: ["http://router", "https://[::1]:8443/x", "android://hash==@com.example/"])
    func `Chrome takes web addresses and those of apps`(site: String) {
        #expect(losses(.chrome) { $0.sites = [site] } == [])
    }

    @Test func `Chrome refuses long values, counted in bytes`() {
        let expected = ["rows with values that are too long for Chrome: 1"]
        let limit = String(repeating: "\u{E9}", count: 500)
        #expect(losses(.chrome) { $0.secret = HeldSecret(limit) } == [])
        #expect(losses(.chrome) { $0.secret = HeldSecret(limit + "x") } == expected)
        #expect(losses(.chrome) { $0.account = limit + "x" } == expected)
        #expect(losses(.chrome) { $0.notes = HeldSecret(limit + "x") } == expected)
        let site = "https://example.com/" + String(repeating: "x", count: 2028)
        #expect(losses(.chrome) { $0.sites = [site] } == [])
        #expect(losses(.chrome) { $0.sites = [site + "x"] } == expected)
    }

    @Test func `Chrome refuses files of more than 150 KiB or 3,000 rows`() {
        var record = PasswordRecord(at: "item 1")
        (record.sites, record.account, record.secret) = (["https://e.com"], "k", HeldSecret("x"))
        // Each row has 19 bytes and the password, and the header 32.
        #expect(WrittenFile(.chrome, Array(repeating: record, count: 3000)).losses == [])
        #expect(
            WrittenFile(.chrome, Array(repeating: record, count: 3001)).losses
                == ["rows in the file, which are too many for Chrome; export it in parts: 3001"]
        )
        record.secret = HeldSecret(String(repeating: "x", count: 1000))
        // 150 rows of 1,019 bytes, and one of 718.
        var last = record
        last.secret = HeldSecret(String(repeating: "x", count: 699))
        let records = Array(repeating: record, count: 150) + [last]
        #expect(WrittenFile(.chrome, records).bytes.count == 153_600)
        #expect(WrittenFile(.chrome, records).losses == [])
        #expect(
            WrittenFile(.chrome, records + [last]).losses
                == ["bytes in the file, which is too large for Chrome; export it in parts: 154318"]
        )
    }

    @Test func `Firefox takes one of the rows with the same origin and account`() {
        var first = PasswordRecord.login
        (first.title, first.notes, first.oneTimePasswords) = ("", nil, [])
        first.sites = ["https://a.example"]
        var second = first
        second.secret = HeldSecret("other")
        #expect(
            WrittenFile(.firefox, [first, second]).losses
                == ["rows with the same site and account as another one, of which Firefox takes one: 1"]
        )
        second.account = "other"
        #expect(WrittenFile(.firefox, [first, second]).losses == [])
    }

    @Test func `dates that a form cannot have are counted`() {
        let loss = "records without their dates: 1"
        #expect(losses(.keePassXC) { $0.created = Int64.max } == [loss])
        #expect(losses(.firefox) { $0.created = Int64.max } == [loss])
        #expect(losses(.cxf) { $0.created = -1 } == [loss])
        #expect(losses(.keePassXC) { $0.created = -62_135_596_800 } == [])
    }
}
