import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("Dumps of macOS keychains") struct KeychainDumpTests {
    @Test func `items are read with all attributes`() throws {
        let file = try Samples.file("keychain-dump.txt")
        #expect(file.form == "macOS keychain dump")
        #expect(file.records.count == 5)
        #expect(
            file.summaries.first == [
                "login line 1", "title: example.com (alice)", "site: https://example.com:8443/login", "account: alice",
                "secret: pass\"with\"quotes 0x41", "notes: Gr\u{FC}\u{DF}e", "created: 1767323045",
                "changed: 1770091506",
            ]
        )
        let item = try #require(file.records.first?.appleItem)
        #expect(item.itemClass == "inet")
        #expect(
            item.attributes.map(\.name) == [
                "labl", "acct", "atyp", "cdat", "crtr", "desc", "icmt", "mdat", "path", "port", "ptcl", "sdmn", "srvr",
            ]
        )
        let values = Dictionary(uniqueKeysWithValues: item.attributes.map { ($0.name, $0.value) })
        #expect(values["labl"] == Array("example.com (alice)".utf8))
        #expect(values["cdat"] == Array("20260102030405Z\0".utf8))
        #expect(values["port"] == [0, 0, 0x20, 0xFB])
        #expect(values["ptcl"] == Array("htps".utf8))
        #expect(values["icmt"] == Array("Gr\u{FC}\u{DF}e".utf8))
        #expect(values["sdmn"] == [])
    }

    @Test func `binary secrets, secure notes and other classes are read`() throws {
        let file = try Samples.file("keychain-dump.txt")
        #expect(
            file.summaries.dropFirst() == [
                [
                    "login line 27", "title: Token", "account: bot", "secret: pass\0\u{E4}", "hidden icmt: broken",
                    "loss: attribute icmt is malformed; kept as a field",
                ],
                ["note line 38", "title: My note", "secret: all & more", "attachment: note.rtfd hello!"],
                [
                    "login line 58", "title: share", "site: afp://afp.example.com", "account: alice",
                    "secret: afp password",
                    "field labl: share", "field acct: alice", "field srvr: afp.example.com",
                    "loss: class ashp; its attributes are in fields",
                ],
                ["login line 72", "title: empty password", "secret: "],
            ]
        )
        #expect(file.records[1].appleItem?.attributes.first { $0.name == "gena" }?.value == [0, 0xFF])
        #expect(
            file.refused == [
                "line 49: no password; access to it was refused, or `-d` is missing",
                "line 53 (A certificate): a certificate or key, of which the dump has only attributes; export it as a file",
            ]
        )
        #expect(
            (file.losses, file.remarks)
                == (["access control of an item"], ["items that iCloud Keychain keeps are not in such a file"])
        )
    }

    @Test func `a dump of 2009 has no versions`() throws {
        #expect(
            try Samples.file("keychain-dump-2009.txt").summaries == [
                ["login line 1", "title: AirPort", "account: Home", "secret: wpa"]
            ]
        )
    }

    @Test func `a byte-order mark is skipped`() throws {
        let bytes = try Array("\u{FEFF}".utf8) + Samples.bytes("keychain-dump.txt")
        let file = try PasswordFile.read(HeldSecret(bytes), name: "a.txt")
        #expect(file.summaries == (try Samples.file("keychain-dump.txt").summaries))
        #expect(file.losses == (try Samples.file("keychain-dump.txt").losses))
    }

    @Test func `a dump without passwords is refused`() {
        let text = "keychain: \"x\"\nversion: 512\nclass: \"genp\"\nattributes:\n    \"acct\"<blob>=\"me\"\n"
        let error = fileError { _ = try PasswordFile.read(HeldSecret(text), name: "a.txt") }
        #expect(error?.description.contains("dump-keychain -d") == true)
    }

    @Test(arguments: [
        // Not a property list, and one with declarations of its own.
        ("\"plain text\"", "plain text", 0),
        ("0x3C3F786D6C3E203C706C6973743E ", "<?xml> <plist>", 1),
    ])
    func `a note in another form stays as it is`(data: String, secret: String, lossCount: Int) throws {
        let text =
            "keychain: \"x\"\nclass: \"genp\"\nattributes:\n    \"type\"<uint32>=\"note\"\ndata:\n\(data)\n"
        let record = try #require(try PasswordFile.read(HeldSecret(text), name: "a.txt").records.first)
        #expect(record.kind == .note)
        #expect(record.secret?.text == secret)
        #expect(record.losses.count == lossCount)
    }
}
