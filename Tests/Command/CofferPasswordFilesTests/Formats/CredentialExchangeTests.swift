import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("Credential Exchange Format") struct CredentialExchangeTests {
    private static let broken = [
        #"{"type": "totp", "secret": "JBSWY3DP", "period": 30, "digits": 6, "algorithm": "md5"}"#,
        #"{"type": "passkey", "credentialId": "", "rpId": "example.org", "key": "MIGH"}"#,
    ]
    private static let hmac =
        #"{"hmacCredentials": {"algorithm": "hmac-sha256", "credWithUV": "AA", "credWithoutUV": "AQ"}}"#

    private static let example = [
        "login item 1", "title: Example", "site: https://example.com", "site: https://example.org",
        "account: alice", "secret: secret", "notes: a note",
        "otp: otpauth://totp/Example:alice?secret=JBSWY3DP&issuer=Example&algorithm=SHA256&digits=8&period=60",
        "field subtitle: the shop", "field Android program: com.example.app",
        "hidden Android program: name: Example App",
        "hidden Android program: certificate: {\"fingerprint\": \"aa\", \"hashAlg\": \"sha256\"}",
        "hidden username: label: Login", "hidden totp: \(broken[0])", "hidden passkey: fido2Extensions: \(hmac)",
        "hidden passkey: \(broken[1])", "field More: visible: shown", "hidden More: hidden: not shown",
        "field More: field: true", "field More: until: 2030-04", "hidden More: field: bare",
        "field refers to: Server key", "folders: Work", "tags: one + two + Shared", "favorite",
    ]
    private static let exampleLosses = [
        "passkey: example.com alice@example.com", "created: 1700000000", "changed: 1710000000",
        "loss: the one-time password was kept as a field: its algorithm is not SHA-1, SHA-256 or SHA-512",
        "loss: passkey without a valid key and identifier; kept as a field",
        "loss: a reference to an item that is not in the account",
    ]

    @Test func `an item with many credentials is read, the second login as a record of its own`() throws {
        let file = try Samples.file("cxf.json")
        #expect(file.form == "Credential Exchange Format")
        #expect(file.records.count == 10)
        #expect(
            file.summaries.first
                == Self.example + Self.exampleLosses + ["loss: attachment a.txt is not in the file"]
        )
        #expect(
            file.summaries[1] == [
                "login item 1, credential 8", "title: Example", "site: https://example.com",
                "site: https://example.org", "account: bob", "secret: second", "folders: Work",
                "tags: one + two + Shared", "favorite", "created: 1700000000", "changed: 1710000000",
            ]
        )
        let passkey = try #require(file.records.first?.passkeys.first)
        #expect(passkey.displayName == "Alice")
        #expect(passkey.credentialID == [1, 2, 3, 4])
        #expect(passkey.userHandle == Array("user".utf8))
        #expect(passkey.key.array == bytes(base64: "MIGHAgEAMBMG"))
        #expect(file.refused == ["item 10 is not an object"])
        #expect(
            file.losses == [
                "subtitle of a collection", "extension shared of a collection", "extension shared of an item",
                "link of a collection to an item that is not in the account",
            ]
        )
    }

    @Test func `all other types of credentials are read`() throws {
        let file = try Samples.file("cxf.json")
        let key = "MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
        #expect(
            file.summaries.dropFirst(2) == [
                [
                    "key item 2", "title: Server key",
                    "secret: -----BEGIN PRIVATE KEY-----\n\(key)\n-----END PRIVATE KEY-----\n",
                    "field keyType: ssh-ed25519", "field keyComment: alice@host", "field creationDate: 2024-01-31",
                    "folders: Work > Servers",
                ],
                [
                    "card item 3", "title: Card", "hidden creationAt: -62135596800", "hidden number: 4111111111111111",
                    "field fullName: Alice", "field cardType: Visa", "hidden verificationNumber: 123",
                    "hidden pin: 1234", "field expiryDate: 2030-04",
                ],
                [
                    "wifi item 4", "title: Office", "account: Office 5G", "secret: wifi pass",
                    "field networkSecurityType: wpa3-personal", "field hidden: false",
                ],
                [
                    "other item 5", "title: API", "site: https://api.example.com", "account: bot", "secret: k3y",
                    "field keyType: bearer",
                ],
                ["note item 6", "title: Note", "secret: the text", "notes: more"],
                [
                    "identity item 7", "title: Me", "field given: Alice", "field surname: Example", "field city: Town",
                    "field country: US", "hidden passportNumber: P1",
                ],
                ["login item 8", "title: Generated", "secret: made up"],
                [
                    "other item 9", "title: Future", "field beam: x",
                    "loss: unknown type \"hologram\" of credential; all of it is in fields",
                ],
            ]
        )
    }

    @Test func `a draft is read`() throws {
        let file = try Samples.file("cxf-draft.json")
        #expect(
            file.summaries == [
                [
                    "login item 1", "title: Draft", "site: https://example.com", "account: alice", "secret: pw",
                    "passkey: example.com alice", "created: 1700000000", "changed: 1710000000",
                ]
            ]
        )
        #expect(file.losses == ["unknown member userName of an account"])
    }

    private func archive(_ content: String) throws -> PasswordFile {
        var zip = ZipBytes()
        zip.add("export.json", String(decoding: try Samples.bytes("cxf.json"), as: UTF8.self))
        zip.add("documents/ZmlsZTE", content)
        zip.add("documents/other", "other")
        return try PasswordFile.read(HeldSecret(zip.written), name: "a.zip")
    }

    // The digest in the sample is that of "hello", by `sha256sum`.
    @Test func `a file of an archive is attached if its digest is right`() throws {
        let file = try archive("hello")
        let attachment = "attachment: a.txt hello"
        #expect(file.summaries.first == Self.example + [attachment] + Self.exampleLosses)
        #expect(file.losses.last == "documents/other (5 bytes) was not read")
        let damaged = try archive("hellO").records.first
        #expect(damaged?.attachments.count == 0)
        #expect(damaged?.losses.last == "attachment a.txt is damaged: its digest is wrong")
    }

    // A document of this name is no sign of Bitwarden.
    @Test func `an archive may have its document under any name`() throws {
        var zip = ZipBytes()
        zip.add("data.json", String(decoding: try Samples.bytes("cxf.json"), as: UTF8.self))
        #expect(try PasswordFile.read(HeldSecret(zip.written), name: "a.zip").form == "Credential Exchange Format")
    }

    // `decryptedSize` and the digest are of "hello"; the checksum of the second file is wrong.
    @Test func `a file that cannot be read leaves another one of its name`() throws {
        let digest = "LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ"
        func file(_ id: String) -> String {
            #"{"type": "file", "id": "\#(id)", "name": "a.txt", "decryptedSize": 5, "integrityHash": "\#(digest)"}"#
        }
        let other = file("b").replacing(digest, with: digest.replacing("LPJN", with: "AAAA"))
        let json =
            #"{"version": {"major": 1, "minor": 0}, "exporterRpId": "x", "accounts": [{"items": [{"title": "T", "#
            + #""credentials": [\#(file("a")), \#(other)]}]}]}"#
        var zip = ZipBytes()
        zip.add("export.json", json)
        zip.add("documents/a", "hello")
        zip.add("documents/b", "other")
        zip.checksums[2] = 0
        let record = try #require(try PasswordFile.read(HeldSecret(zip.written), name: "a.zip").records.first)
        #expect(record.attachments.map(\.content.text) == ["hello"])
        #expect(record.losses.count == 1)
    }

    @Test func `answers of the exchange protocol are refused`() {
        var zip = ZipBytes()
        zip.add("CXP-Export/index.jwe", "eyJ")
        let json = #"{"version": 0, "hpke": {"mode": "base"}, "archive": "deflate", "exporter": "x", "payload": "AA"}"#
        for bytes in [zip.written, Array(json.utf8)] {
            let error = fileError { _ = try PasswordFile.read(HeldSecret(bytes), name: "a") }
            #expect(error?.description.contains("only the program that asked for it can decrypt") == true)
        }
    }
}
