import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("Bitwarden JSON") struct BitwardenTests {
    private func refusal(_ text: String) -> String? {
        fileError { _ = try PasswordFile.read(HeldSecret(text), name: "export.json") }?.description
    }

    @Test func `a personal export is read with every field`() throws {
        let file = try Samples.file("bitwarden.json")
        #expect(file.form == "Bitwarden JSON")
        #expect(file.records.count == 10)
        #expect(
            file.summaries.first == [
                "login item 1", "title: Example", "site: https://example.com/login", "site: https://example.org",
                "site: androidapp://com.example.app", "account: alice", "secret:  pass\u{E4} ", "notes: line 1\nline 2",
                "otp: otpauth://totp/Example:alice?secret=JBSWY3DPEHPK3PXP&issuer=Example&algorithm=SHA1&digits=6&period=30",
                "field address (regular expression): ^https://.*\\.example\\.net$",
                "field address (never): https://never.example.com", "field passkey: rpName: Example Inc",
                "field passkey: creationDate: 2024-02-01T00:00:00.000Z", "hidden passkey: counter: 7",
                "hidden passkey: {\"credentialId\": \"not an id\", \"keyValue\": \"MIGH\", \"rpId\": \"example.net\"}",
                "field color: blue", "hidden PIN: 1234", "field remember: true", "field : unnamed",
                "field archivedDate: 2025-07-01T00:00:00.000Z", "folders: Work > Servers", "favorite", "archived",
                "former: first 1709287200", "former: second 1740823200", "passkey: example.com alice@example.com",
                "passkey: example.org ", "created: 1706704200", "changed: 1748766600",
                "loss: address 2 has the match rule 3", "loss: the counter of a passkey is not zero; it may be refused",
                "loss: passkey without a valid key and identifier; kept as a field",
                "loss: field \"same\" is a link to the user name",
                "loss: asks for the master password before it is shown",
            ]
        )
        #expect(file.refused == ["item 10 is not an object", "item 11 is not an object"])
        #expect(
            (file.losses, file.remarks) == (
                ["unknown member extra of the file"],
                ["Bitwarden exports no trashed items and no Sends, and attachments only to a zip archive"]
            )
        )
    }

    @Test func `notes, cards, identities, keys and documents keep all values`() throws {
        let file = try Samples.file("bitwarden.json")
        #expect(
            file.summaries.dropFirst() == [
                [
                    "note item 2", "title: A note", "secret: the text", "hidden somethingNew: {\"a\": 1}",
                    "folders: Home",
                ],
                [
                    "card item 3", "title: My card", "notes: card note", "field cardholderName: Alice Example",
                    "field brand: Visa", "hidden number: 4111111111111111", "field expMonth: 4", "field expYear: 2030",
                    "hidden code: 123",
                ],
                [
                    "identity item 4", "title: Me", "field title: Ms", "field firstName: Alice",
                    "field lastName: Example", "field address1: 1 Main St", "field city: Town", "field state: TS",
                    "field postalCode: 12345", "field country: US", "field company: Example Inc",
                    "field email: alice@example.com", "field phone: 555 0100", "hidden ssn: 000-00-0000",
                    "field username: alice", "hidden passportNumber: P1", "hidden licenseNumber: L1",
                    "loss: a folder or collection of it is not in the file",
                ],
                [
                    "key item 5", "title: Key",
                    "secret: -----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n",
                    "field publicKey: ssh-ed25519 AAAA", "field keyFingerprint: SHA256:abc",
                ],
                [
                    "other item 6", "title: Bank", "field bankName: The Bank", "hidden accountNumber: 001",
                    "hidden pin: 9999", "hidden iban: XX00", "field bankContactPhone: 555",
                ],
                ["identity item 7", "title: Driving", "field firstName: Alice", "hidden licenseNumber: D1"],
                ["identity item 8", "title: Passport", "field surname: Example", "hidden passportNumber: P2"],
                [
                    "other item 9", "title: Future", "hidden future: {\"x\": \"y\"}",
                    "loss: unknown type 42 of item; all of it is in fields",
                ],
                [
                    "login item 12", "title: No login", "field deletedDate: 2025-01-01T00:00:00Z",
                    "hidden creationDate: 1969-12-31T23:59:59Z", "trashed",
                ],
            ]
        )
    }

    @Test func `identifiers of passkeys become bytes`() throws {
        let passkeys = try #require(try Samples.file("bitwarden.json").records.first).passkeys
        #expect(passkeys.count == 2)
        #expect(passkeys[0].displayName == "Alice")
        #expect(
            passkeys[0].credentialID == [0x0A, 0x1B, 0x2C, 0x3D, 0, 1, 0x40, 2, 0x80, 3, 0, 0, 0, 0, 0xFF, 0xFF]
        )
        #expect(passkeys[0].userHandle == Array("user".utf8))
        #expect(passkeys[0].key.array == bytes(base64: "MIGHAgEAMBMG"))
        #expect(passkeys[1].credentialID == [1, 2, 3, 4])
        #expect(passkeys[1].userHandle == [])
    }

    @Test func `what is not an object stays, beside what is`() throws {
        let json = #"""
            {"encrypted": false, "items": [
                {"type": 1, "name": "A", "fields": ["odd", {"name": "a", "value": "b", "type": 0}], "favorite": "maybe",
                 "login": {"username": {"x": 1}, "password": ["p"]}, "collectionIds": [{}]}
            ]}
            """#
        let file = try PasswordFile.read(HeldSecret(json), name: "a.json")
        #expect(
            file.summaries == [
                [
                    "login item 1", "title: A", "hidden login: username: {\"x\": 1}", "hidden login: password: [\"p\"]",
                    "field a: b", "hidden fields: [\"odd\", {\"name\": \"a\", \"value\": \"b\", \"type\": 0}]",
                    "hidden favorite: maybe", "hidden collectionIds: [{}]",
                ]
            ]
        )
    }

    @Test func `an export of 2019 is read`() throws {
        let file = try Samples.file("bitwarden-2019.json")
        #expect(
            file.summaries == [
                [
                    "login item 1", "title: example.com", "site: https://example.com", "account: bob", "secret: pw",
                    "otp: otpauth://totp/Example:bob?secret=JBSWY3DP&issuer=Example&algorithm=SHA1&digits=6&period=30",
                    "folders: Old",
                ],
                [
                    "login item 2", "title: Steam", "account: gamer",
                    "otp: otpauth://totp/Steam:gamer?secret=JBSWY3DP&issuer=Steam&algorithm=SHA1&digits=5&period=30&encoder=steam",
                ],
                [
                    "login item 3", "title: Broken code", "hidden totp: no base32!",
                    "loss: the one-time password was kept as a field: its secret is not base32",
                ],
            ]
        )
    }

    @Test func `an export of an organization has collections`() throws {
        let file = try Samples.file("bitwarden-organization.json")
        #expect(
            file.summaries == [
                [
                    "login item 1", "account: team", "secret: pw", "folders: Team > Web", "tags: Shared",
                    "loss: a folder or collection of it is not in the file",
                    "loss: attachment plan.pdf (2048 bytes) is not in the file",
                ]
            ]
        )
    }

    @Test func `attachments of a zip archive are taken once`() throws {
        let json = #"""
            {"encrypted": false, "items": [
                {"id": "a", "type": 1, "name": "A", "login": {}, "attachments": [{"fileName": "x.txt", "size": "1"}]},
                {"id": "b", "type": 2, "name": "B", "attachments": [{"fileName": "lost.txt", "size": "9"}]}
            ]}
            """#
        var zip = ZipBytes()
        zip.add("data.json", json)
        zip.add("attachments/a/x.txt", "one")
        zip.add("attachments/a/sub/y.txt", "two")
        zip.add("attachments/c/z.txt", "three")
        zip.add("attachments/b/bad.txt", "four")
        zip.checksums = [4: 1]
        let file = try PasswordFile.read(HeldSecret(zip.written), name: "export.zip")
        #expect(file.form == "Bitwarden zip")
        #expect(
            file.summaries == [
                ["login item 1", "title: A", "attachment: x.txt one", "attachment: sub/y.txt two"],
                [
                    "note item 2", "title: B",
                    "loss: attachment bad.txt (4 bytes): attachments/b/bad.txt: the checksum is wrong; the archive is damaged",
                    "loss: attachment lost.txt (9 bytes) is not in the file",
                ],
            ]
        )
        #expect(file.losses.contains("attachments/c/z.txt (5 bytes) was not read"))
    }

    @Test func `encrypted exports say which kind they are`() {
        let protected = refusal(#"{"encrypted": true, "passwordProtected": true, "salt": "x", "data": "2.a|b|c"}"#)
        #expect(protected?.contains("a password for the file") == true)
        #expect(protected?.contains("export it again") == true)
        let account = refusal(#"{"encrypted": true, "encKeyValidation_DO_NOT_EDIT": "2.a|b|c", "items": []}"#)
        #expect(account?.contains("the key of the account") == true)
        #expect(account?.contains("export it again") == true)
    }

    @Test func `in CSV the date of archiving is a field, as in JSON`() throws {
        let csv =
            "folder,favorite,type,name,notes,fields,reprompt,archivedDate,login_uri,login_username,login_password,login_totp\n"
            + ",,login,A,,,0,2025-07-01T00:00:00.000Z,,kim,pw,\n,,login,B,,,0,,,kim,pw,\n"
        let file = try PasswordFile.read(HeldSecret(csv), name: "a.csv")
        #expect(
            file.summaries.map { $0.dropFirst() } == [
                ["title: A", "account: kim", "secret: pw", "field archivedDate: 2025-07-01T00:00:00.000Z", "archived"],
                ["title: B", "account: kim", "secret: pw"],
            ]
        )
    }

    @Test func `an archive without an export of Bitwarden is unknown`() {
        var zip = ZipBytes()
        zip.add("data.json", "{\"a\": 1}")
        let error = fileError { _ = try PasswordFile.read(HeldSecret(zip.written), name: "a.zip") }
        #expect(error == .unknownForm)
    }
}
