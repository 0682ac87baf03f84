import Foundation
import TestSupport
import Testing

/// What imports make of files of other programs, and of our own.
@Suite("Imports", .temporaryDirectory) struct ImportTests {
    private let sample: CommandSample

    init() throws {
        sample = try CommandSample()
        #expect(sample.run("init", "-q").status == 0)
    }

    private func `import`(_ bytes: [UInt8], _ name: String, _ options: String...) throws -> CommandSample.Result {
        let url = sample.home.appending(path: name)
        try Data(bytes).write(to: url)
        return sample.run(CommandSample.Call(words: ["import", url.path] + options))
    }

    private func value(_ words: String...) throws -> NSDictionary {
        let result = sample.run(CommandSample.Call(words: words + ["--json"]))
        return try #require(
            try JSONSerialization.jsonObject(with: Data(result.output)) as? NSDictionary,
            "\(result.errors)"
        )
    }

    private func attributes(_ words: String...) throws -> NSDictionary {
        try #require(try value("show", words[0], words[1])["attributes"] as? NSDictionary)
    }

    private func secret(_ words: String...) -> String { sample.run("get", words[0], words[1]).text }

    // The dump writes numbers as four letters or four bytes, and an empty value for no number.
    @Test func `items of a dump of macOS have all of its attributes`() throws {
        let dump = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "CofferPasswordFilesTests/Samples/keychain-dump.txt")
        let result = try `import`(Array(Data(contentsOf: dump)), "dump.txt", "--quiet")
        #expect(result.text.contains("5 records: 8 items added"), "\(result.text)\(result.errors)")
        #expect(
            try attributes("example.com", "alice") == [
                "acct": "alice", "agrp": "coffer", "atyp": "form", "crtr": 1_919_511_898, "desc": "Web form password",
                "icmt": "Gr\u{FC}\u{DF}e", "labl": "example.com (alice)", "path": "/login", "pdmn": "ak", "port": 8443,
                "ptcl": "htps", "srvr": "example.com",
            ]
        )
        #expect(secret("example.com", "alice") == "pass\"with\"quotes 0x41")
        let item = try value("show", "example.com", "alice")
        #expect(item["created"] as? String == "2026-01-02T03:04:05.000Z")
        #expect(item["modified"] as? String == "2026-02-03T04:05:06.000Z")
        #expect(
            try attributes("Token service", "bot") == [
                "acct": "bot", "agrp": "coffer", "gena": ["hexadecimal": "00ff"], "labl": "Token", "pdmn": "ak",
                "svce": "Token service",
            ]
        )
        #expect(secret("Token service", "bot") == "pass\0\u{E4}")
        #expect(secret("fields:Token service", "bot").contains(#""value": "broken""#))
        #expect(
            try attributes("My note", "") == [
                "agrp": "coffer", "desc": "secure note", "labl": "My note", "pdmn": "ak", "svce": "My note",
                "type": 1_852_798_053,
            ]
        )
        #expect(secret("My note", "") == "all & more")
        #expect(secret("file:My note", "note.rtfd") == "hello!")
        #expect(secret("afp.example.com", "alice") == "afp password")
        #expect(secret("empty password", "") == "")
        #expect(try value("show", "empty password")["hasSecret"] as? Bool == true)
    }

    private static let key =
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n"
        + "-----END PRIVATE KEY-----"

    @Test func `a key in a note makes no file of keys`() throws {
        let csv = "name,url,username,password,note\nA,https://a.example/,kim,pw,\"\(Self.key)\"\n"
        #expect(try `import`(Array(csv.utf8), "a.csv").text.contains("Chrome CSV, 1 record: 1 item added"))
        let text = Self.key.replacing("\n", with: "\\n")
        let json =
            #"{"encrypted": false, "items": [{"type": 1, "name": "B", "notes": "\#(text)", "login": "#
            + #"{"username": "kim", "password": "pw", "uris": [{"uri": "https://b.example/"}]}}]}"#
        #expect(try `import`(Array(json.utf8), "b.json").text.contains("Bitwarden JSON, 1 record: 1 item added"))
        for name in ["a.example", "b.example"] {
            #expect(try attributes(name, "kim")["icmt"] as? String == Self.key)
        }
    }

    @Test func `a login without a password keeps its notes, its one-time password and its history`() throws {
        let json =
            #"{"encrypted": false, "items": [{"type": 1, "name": "A", "notes": "a note", "login": {"username": "kim", "#
            + #""totp": "JBSWY3DP", "uris": [{"uri": "https://a.example/"}]}}]}"#
        #expect(try `import`(Array(json.utf8), "a.json").text.contains("2 items added"))
        #expect(try attributes("a.example", "kim")["icmt"] as? String == "a note")
        #expect(try value("show", "a.example", "kim")["hasSecret"] as? Bool == false)
        #expect(secret("otp:a.example", "kim").contains("secret=JBSWY3DP&"))
        func entry(_ password: String, _ rest: String = "") -> String {
            "<Entry><String><Key>Title</Key><Value>K</Value></String><String><Key>Password</Key>"
                + "<Value>\(password)</Value></String>\(rest)</Entry>"
        }
        let xml =
            "<KeePassFile><Root><Group><Name>Root</Name>"
            + entry("", "<History>\(entry("one"))\(entry("two"))</History>") + "</Group></Root></KeePassFile>"
        #expect(try `import`(Array(xml.utf8), "k.xml").text.contains("1 item added"))
        #expect(try value("show", "K")["hasSecret"] as? Bool == false)
        #expect(sample.run("history", "K").text.split(separator: "\n").count == 3)
        let export = sample.run("export", "--for", "coffer", "K").text
        #expect(export.firstMatch(of: /"secret":"one".*"secret":"two"/) != nil && !export.contains(#""secret":"""#))
    }

    @Test func `a record without a password leaves the one that the vault has`() throws {
        let header = "name,url,username,password\n"
        _ = try `import`(Array("\(header)A,https://a.example/,kim,pw\n".utf8), "a.csv")
        let result = try `import`(Array("\(header)A,https://a.example/,kim,\n".utf8), "b.csv", "--existing", "update")
        #expect(result.text.contains("0 items added, 1 existing item left unchanged"), "\(result.text)")
        #expect(secret("a.example", "kim") == "pw")
    }

    // 11,000 empty entries in 58 groups with long names took 70 seconds.
    @Test(arguments: ["--quiet", "--dry-run"])
    func `records that share too much are refused`(option: String) throws {
        let groups = String(repeating: "<Group><Name>\(String(repeating: "n", count: 200))</Name>", count: 58)
        let xml =
            "<KeePassFile><Root><Group>\(groups)\(String(repeating: "<Entry/>", count: 11_000))"
            + String(repeating: "</Group>", count: 59) + "</Root></KeePassFile>"
        let result = try `import`(Array(xml.utf8), "k.xml", option)
        #expect(
            result.status == 69 && result.errors.contains("counting what they share"),
            "\(result.status) \(result.errors)"
        )
        #expect(sample.run("list").text.isEmpty)
    }

    @Test func `a record that is too large for the vault is left out and reported`() throws {
        let note = String(repeating: "x", count: 1 << 20 + 1)
        let csv = "name,url,username,password\nA,https://a.example/,kim,\(note)\nB,https://b.example/,kim,pw\n"
        let result = try `import`(Array(csv.utf8), "a.csv")
        #expect(result.status == 0 && result.text.contains("2 records: 1 item added"), "\(result.text)\(result.errors)")
        #expect(result.errors.contains("not read: A: cannot store this: secret too large"), "\(result.errors)")
        #expect(secret("b.example", "kim") == "pw")
    }

    @Test func `a link in a password store leads nowhere else`() throws {
        let (store, other) = (sample.home.appending(path: "store"), sample.home.appending(path: "other"))
        for url in [store, other] {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        try Data().write(to: other.appending(path: ".gpg-id"))
        try Data().write(to: other.appending(path: "entry.age"))
        try FileManager.default.createSymbolicLink(
            at: store.appending(path: ".gpg-id"),
            withDestinationURL: other.appending(path: ".gpg-id")
        )
        let result = sample.run("import", store.path)
        #expect(result.text.contains("pass store, 0 records"), "\(result.text)\(result.errors)")
        #expect(!result.errors.contains("entry"))
    }
}
