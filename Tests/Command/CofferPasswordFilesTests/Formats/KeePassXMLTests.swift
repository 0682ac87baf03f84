import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("KeePass XML") struct KeePassXMLTests {
    @Test func `KeePass: an entry is read with every field`() throws {
        let file = try Samples.file("keepass.xml")
        #expect(file.form == "KeePass XML")
        #expect(file.records.count == 5)
        #expect(
            file.summaries.first == [
                "login entry 1", "title: Example & Co", "site: https://example.com", "site: https://example.org",
                "site: https://example.net", "account: alice", "secret: p<ss", "notes: line 1\nline 2",
                "otp: otpauth://totp/Example%20%26%20Co:alice?secret=JBSWY3DP&issuer=Example%20%26%20Co&algorithm=SHA1&digits=6&period=60",
                "field Shown: text", "hidden Hidden: more text", "field Shown: again",
                "field ExpiryTime: 2030-12-31T22:59:59Z", "field OverrideURL: cmd://ssh host",
                "field ForegroundColor: #FF0000", "field auto-type: {PASSWORD}{ENTER}",
                "field auto-type: Example - *: {TAB}", "hidden Plugin: x", "tags: mail + private stuff",
                "former: first 1722429000", "former: second 1738326600",
                "attachment: a.txt attached text", "attachment: b.txt plain text", "attachment: inline.txt plain text",
                "created: 1706704200", "changed: 1738326600",
                "loss: 3 earlier versions; only their passwords are taken",
                "loss: attachment missing.txt: number 7 is not in the file",
            ]
        )
        #expect(
            file.losses == [
                "the description of the database", "notes of a group",
                "attachments of no entry, or only of earlier versions: 1",
            ]
        )
        #expect(file.remarks == ["standard icons, and when and how often entries were used, are never taken over"])
    }

    @Test func `KeePass: references, trash and templates`() throws {
        let file = try Samples.file("keepass.xml")
        #expect(
            file.summaries.dropFirst() == [
                [
                    "login entry 2", "title: Example & Co clone", "account: alice", "secret: p<ss",
                    "notes: {REF:N@T:Example} and {TITLE}",
                    "field Loop: {REF:N@I:06060606060606060606060606060606}",
                    "folders: Internet/Mail > Inner", "loss: field \"Notes\" has a reference that cannot be resolved",
                    "loss: field \"Loop\" has a reference that cannot be resolved",
                ],
                [
                    "login entry 3", "title: 05050505050505050505050505050505", "secret: p<ss",
                    "notes: x{REF:N@I:06060606060606060606060606060606}", "folders: Internet/Mail > Inner",
                    "loss: field \"Notes\" has a reference that cannot be resolved",
                ],
                [
                    "login entry 4", "title: Deleted", "folders: Recycle Bin > Deeper", "trashed",
                    "loss: field \"Password\" is encrypted by the database; export the database as XML again",
                ],
                ["login entry 5", "title: Template", "folders: Templates", "loss: it is a template"],
            ]
        )
    }

    @Test func `KeePassXC: dates of KDBX 4, passkeys, and two forms of one code`() throws {
        let file = try Samples.file("keepassxc.xml")
        #expect(
            file.summaries == [
                [
                    "login entry 1", "title: Passkey", "site: https://example.com", "account: alice",
                    "otp: otpauth://totp/Passkey:alice?secret=JBSWY3DP&issuer=Passkey&algorithm=SHA1&digits=6&period=30",
                    "field KPEX_PASSKEY_FLAG_BE: 1", "folders: Kept", "tags: one + two",
                    "passkey: example.com alice@example.com", "created: 1706704200", "changed: 1738326600",
                    "loss: the icon",
                ],
                [
                    "login entry 2", "title: Broken", "hidden KPEX_PASSKEY_PRIVATE_KEY_PEM: no key",
                    "hidden otp: no base32!", "field CreationTime: yesterday", "folders: Kept",
                    "loss: the one-time password was kept as a field: its secret is not base32",
                    "loss: passkey without a valid key and identifier; kept as fields",
                ],
            ]
        )
        let passkey = try #require(file.records.first?.passkeys.first)
        #expect(passkey.credentialID == [1, 2, 3, 4])
        #expect(passkey.userHandle == Array("user".utf8))
        #expect(passkey.key.array == bytes(base64: "MIGHAgEAMBMG"))
        #expect(file.losses == ["custom icon"])
    }

    @Test func `references cannot multiply a text`() throws {
        // Each of the last three entries refers to the one before it 100 times.
        let entries = (2...5).map { number in
            let id = String(repeating: "0\(number - 1)", count: 16)
            let notes =
                number == 2
                ? String(repeating: "x", count: 10_000) : String(repeating: "{REF:N@I:\(id)}", count: 100)
            return "<Entry><UUID>\(base64([UInt8](repeating: UInt8(number), count: 16)))</UUID>"
                + "<String><Key>Notes</Key><Value>\(notes)</Value></String></Entry>"
        }
        let text = "<KeePassFile><Root><Group>\(entries.joined())</Group></Root></KeePassFile>"
        let file = try PasswordFile.read(HeldSecret(text), name: "a.xml")
        let counts = file.records.map { $0.notes?.byteCount ?? 0 }
        #expect(counts[1] == 1_000_000)
        #expect(counts.reduce(0, +) < 10_000_000)
        #expect(file.records.last?.losses == ["field \"Notes\" has a reference that cannot be resolved"])
    }

    @Test func `an attachment that inflates to too much is refused`() throws {
        // 1 MiB and one byte, by its last four bytes.
        let stream: [UInt8] = [0x1F, 0x8B, 8, 0] + [UInt8](repeating: 0, count: 2000) + [1, 0, 16, 0]
        let text =
            "<KeePassFile><Meta><Binaries><Binary ID='0' Compressed='True'>\(base64(stream))</Binary></Binaries></Meta>"
            + "<Root><Group><Entry><Binary><Key>a</Key><Value Ref='0'/></Binary></Entry></Group></Root></KeePassFile>"
        let file = try PasswordFile.read(HeldSecret(text), name: "a.xml")
        #expect(file.records.first?.losses == ["attachment a: compressed bytes would inflate to more than 1048576"])
    }

    @Test func `a file without a root is refused`() {
        let error = fileError { _ = try PasswordFile.read(HeldSecret("<KeePassFile/>"), name: "a.xml") }
        #expect(error == .invalid("the XML of KeePass has no element Root"))
    }
}
