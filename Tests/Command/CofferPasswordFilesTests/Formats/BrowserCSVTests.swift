import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("CSV of browsers and of Apple Passwords") struct BrowserCSVTests {
    @Test func `Apple Passwords: titles, notes, codes without label, and several sites`() throws {
        let file = try Samples.file("apple.csv")
        #expect(file.form == "Apple Passwords CSV")
        #expect(
            file.summaries == [
                [
                    "login line 2", "title: example.com", "site: https://example.com/login", "account: alice",
                    "secret:  p,\"w \"", "notes: first\nsecond",
                    "otp: otpauth://totp/example.com:alice?secret=JBSWY3DPEHPK3PXP&issuer=example.com"
                        + "&algorithm=SHA1&digits=6&period=30",
                ],
                [
                    "login line 4 and line 5", "title: Shop", "site: https://shop.example/",
                    "site: https://www.shop.example/", "account: bob", "secret: secret",
                ],
                ["login line 6", "title: Shop", "site: https://other.example/", "account: bob", "secret: another"],
                ["login line 7", "title: Router", "account: admin", "secret: admin"],
                ["login line 8", "title: Passkey only", "site: https://passkey.example/", "account: carol"],
            ]
        )
        #expect(file.losses == [])
        #expect(
            file.remarks == ["Apple never exports passkeys, Wi-Fi passwords, shared groups, dates and former passwords"]
        )
    }

    @Test func `Safari of 2021 has four columns, and titles of others stay`() throws {
        #expect(
            try Samples.file("apple-2021.csv").summaries == [
                [
                    "login line 2", "title: example.com (bob)", "site: https://example.com/", "account: alice",
                    "secret: one",
                ]
            ]
        )
    }

    @Test func `rows that are the same stay apart`() throws {
        let header = "Title,URL,Username,Password\n"
        let rows = String(repeating: "a,https://a.example,b,c\n", count: 2) + "a,,b,c\na,,b,c\n"
        let file = try PasswordFile.read(HeldSecret(header + rows), name: "a.csv")
        #expect(file.records.map(\.place) == ["line 2", "line 3", "line 4", "line 5"])
    }

    @Test func `Chrome: paths, apps, and records without account or password`() throws {
        let file = try Samples.file("chrome.csv")
        #expect(file.form == "Chrome CSV")
        #expect(
            file.summaries == [
                [
                    "login line 2", "title: example.com", "site: https://example.com/login?next=1", "account: alice",
                    "secret: a,b", "notes: line 1\nline 2",
                ],
                [
                    "login line 4", "title: Example App", "site: android://aGFzaA==@com.example.app/",
                    "account: alice", "secret: say \"hi\"",
                ],
                ["login line 5", "title: example.org", "site: https://example.org/", "secret: no account"],
                ["login line 6", "title: example.net", "site: https://example.net/", "account: no password"],
            ]
        )
    }

    @Test func `Chrome before 2022 has no notes, and formulas are data`() throws {
        #expect(
            try Samples.file("chrome-2021.csv").summaries == [
                ["login line 2", "title: example.com", "site: https://example.com/", "account: alice", "secret: =1+1"]
            ]
        )
    }

    @Test func `Firefox: realms, dates, and an empty password that is one`() throws {
        let file = try Samples.file("firefox.csv")
        #expect(file.form == "Firefox CSV")
        #expect(
            file.summaries == [
                [
                    "login line 2", "site: https://example.com", "account: alice", "secret: p\"w",
                    "field formActionOrigin: https://example.com",
                    "field guid: {11111111-2222-3333-4444-555555555555}", "field timeLastUsed: 1769862616000",
                    "created: 1769862615", "changed: 1769862617",
                ],
                [
                    "login line 3", "site: http://router.local:8080", "realm: Router login", "account: admin",
                    "secret: x", "field guid: {6}", "field timeLastUsed: 1769862615000", "created: 1769862615",
                    "changed: 1769862615",
                ],
                [
                    "login line 4", "site: https://empty.example", "secret: ", "field httpRealm: ",
                    "field formActionOrigin: ", "field guid: {7}", "field timeCreated: -1", "field timeLastUsed: 0",
                ],
            ]
        )
        #expect(file.losses.first == "line 5: the session of Firefox Sync was left out: it is no password")
    }

    @Test func `files in UTF-16 and with other separators are read`() throws {
        let text = "\u{FEFF}name;url;username;password\r\n\u{1F511} \u{E4};https://a.example;b,c;d\r\n"
        let expected = [
            ["login line 2", "title: \u{1F511} \u{E4}", "site: https://a.example", "account: b,c", "secret: d"]
        ]
        let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        for bytes in [little, big, Array(text.utf8)] {
            #expect(try PasswordFile.read(HeldSecret(bytes), name: "a.csv").summaries == expected)
        }
    }

    @Test func `broken rows are refused and the others are read`() throws {
        let file = try PasswordFile.read(
            HeldSecret("name,url,username,password\na,b,c,d,e\n\"x\"y,b,c,d\nq,https://q.example,r,s\n"),
            name: "a.csv"
        )
        #expect(file.records.map(\.place) == ["line 4"])
        #expect(
            file.refused == [
                "line 2: 5 cells, but the header has 4; is a comma not quoted?",
                "line 3: text after the closing quote of a cell",
            ]
        )
    }
}
