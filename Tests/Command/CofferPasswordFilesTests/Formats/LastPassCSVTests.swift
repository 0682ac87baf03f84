import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("CSV of LastPass") struct LastPassCSVTests {
    private let pem = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----"

    @Test func `logins, notes of types, folders and broken rows`() throws {
        let file = try Samples.file("lastpass.csv")
        #expect(file.form == "LastPass CSV")
        #expect(
            file.summaries == [
                [
                    "login line 4", "title: Example", "site: https://example.com", "account: alice", "secret: a&amp;b",
                    "notes: a note",
                    "otp: otpauth://totp/Example:alice?secret=JBSWY3DP&issuer=Example&algorithm=SHA1&digits=6&period=30",
                    "folders: Web > Mail", "favorite",
                ],
                [
                    "login line 5", "title: Box", "site: srv.example.com", "account: root", "secret: s:e:c",
                    "notes: first\nAlso: this", "field NoteType: Server", "field Language: en-US",
                    "folders: Shared-Team > Servers",
                ],
                ["note line 12", "title: Memo", "secret: just text: with colon"],
                ["login line 14", "title: No site", "account: bob", "secret: pw"],
                [
                    "key line 15", "title: Key", "secret: \(pem)", "field NoteType: SSH Key", "field Language: en-US",
                    "hidden Bit Strength: 2048", "hidden Passphrase: open", "hidden Public Key: ssh-rsa AAAA",
                ],
                [
                    "card line 29", "title: Card", "field NoteType: Credit Card", "hidden Name on Card: Alice",
                    "hidden Number: 4111111111111111", "hidden Security Code: 123",
                    "hidden Expiration Date: June,2028",
                ],
            ]
        )
        #expect(file.refused == ["line 28: 9 cells, but the header has 8; is a comma not quoted?"])
        #expect(file.losses.first == "line 13: a folder, which is no record")
        #expect(file.losses.contains { $0.hasPrefix("1 cells have HTML entities") && $0.hasSuffix("left as they are") })
    }

    @Test func `HTML entities are decoded only if the user says so`() throws {
        var options = ReadingOptions()
        options.decodesHTMLEntities = true
        let file = try Samples.file("lastpass.csv", options)
        #expect(file.records.first?.secret?.text == "a&b")
        #expect(file.losses.contains { $0.hasSuffix("decoded") })
        let text = "url,username,password,name,grouping\nhttp://,a,&lt;&gt;&quot;&#39;&amp;amp;&nbsp;&,b,\n"
        let other = try PasswordFile.read(HeldSecret(text), name: "a.csv", options: options)
        #expect(other.records.first?.secret?.text == "<>\"'&amp;&nbsp;&")
    }

    @Test func `a note has at most 1,000 fields, and the last has the rest`() throws {
        let lines = (1...1200).map { "f\($0):\($0)" }.joined(separator: "\n")
        let text = "url,username,password,extra,name,grouping,fav\nhttp://sn,,,\"NoteType:X\n\(lines)\",n,,\n"
        let fields = try #require(PasswordFile.read(HeldSecret(text), name: "a.csv").records.first?.fields)
        #expect(fields.count == 1000)
        #expect(fields.last?.value.text.hasPrefix("999\nf1000:1000\n") == true)
    }

    @Test func `older headers, and those of the command`() throws {
        let expected = ["login line 2", "title: Example", "site: https://example.com", "account: alice", "secret: pw"]
        #expect(try Samples.file("lastpass-2020.csv").summaries == [expected])
        #expect(try Samples.file("lastpass-command.csv").summaries == [expected + ["folders: Web"]])
    }

    @Test func `form fills are identities`() throws {
        #expect(
            try Samples.file("lastpass-profiles.csv").summaries == [
                [
                    "identity line 2", "title: Home", "field profilelanguage: en-US", "hidden title: mr",
                    "hidden firstname: Al", "hidden lastname: Ice", "hidden ccnum: 4111111111111111",
                    "hidden ccexp: 2028-06", "hidden cccsc: 123",
                ]
            ]
        )
    }
}
