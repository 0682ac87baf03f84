import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("Proton Pass JSON") struct ProtonPassTests {
    private static let passkey =
        #"{"keyId": "k1", "content": "AAAA", "domain": "example.com", "rpId": "example.com", "rpName": "Example", "#
        + #""userName": "alice", "userDisplayName": "Alice", "userId": "dQ==", "createTime": 1700000000, "note": "", "#
        + #""credentialId": "AQI=", "userHandle": "dQ=="}"#

    private let times = ["created: 1700000000", "changed: 1700000000"]

    @Test func `a login is read with every field`() throws {
        let file = try Samples.file("protonpass.json")
        #expect(file.form == "Proton Pass JSON")
        #expect(file.records.count == 9)
        #expect(
            file.summaries.first == [
                "login vault 1, item 1", "title: Example", "site: https://example.com/",
                "site: https://exact.example.com/", "account: alice", "secret: secret", "notes: a note",
                "otp: otpauth://totp/Example:alice?secret=JBSWY3DP&issuer=Example&algorithm=SHA1&digits=6&period=30",
                "otp: otpauth://totp/Second?secret=MFRGG&algorithm=SHA1&digits=6&period=30",
                "field email: alice@example.com", "field autofill regular expression: https://.*",
                "hidden passkey: \(Self.passkey)", "field shown: text", "hidden not shown: hidden text",
                "field since: 2025-01-31T00:00:00.000Z", "field Android program: com.example.app",
                "folders: Personal > Outer > Inner", "favorite", "created: 1700000000", "changed: 1710000000",
                "loss: address 2 has the mode exact",
                "loss: passkey for example.com: its key has a form of Proton's own; kept as a field",
                "loss: attachment photo.png is not in the file",
            ]
        )
        #expect(file.losses == ["the description of a vault"])
        #expect(file.refused == [])
    }

    // 1, 3 and 6 are sites, and so are their names; 2 is a rule that blocks one, 4 and 5 are patterns.
    @Test(arguments: [
        ("1", true), ("3", true), ("6", true), (#""starts with""#, true), (#""exact path""#, true), ("2", false),
        ("4", false), ("5", false), (#""Regex""#, false), (#""never""#, false),
    ])
    func `a mode says whether an address is a site, in JSON and in CSV`(mode: String, isSite: Bool) throws {
        let list = #"[{"url": "https://a.example/", "mode": \#(mode)}, {"mode": 7}]"#
        let json =
            #"{"version": "1", "vaults": {"v": {"items": [{"data": {"type": "login", "content": {"autofillUrls": \#(list)}}}]}}}"#
        let csv =
            "type,name,url,email,username,password,note,totp,createTime,modifyTime,vault,autofillUrls\n"
            + #"login,,,,,,,,,,,"\#(list.replacing("\"", with: "\"\""))""#
        for (text, name) in [(json, "a.json"), (csv, "a.csv")] {
            let record = try #require(try PasswordFile.read(HeldSecret(text), name: name).records.first)
            #expect(record.sites == (isSite ? ["https://a.example/"] : []))
            #expect(record.fields.map(\.value.text) == (isSite ? [] : ["https://a.example/"]) + [#"{"mode": 7}"#])
            #expect(record.losses.count == (isSite ? 1 : 0))
        }
    }

    @Test func `all other types are read`() throws {
        let file = try Samples.file("protonpass.json")
        #expect(
            file.summaries.dropFirst() == [
                [
                    "other vault 1, item 2", "title: Alias", "account: shop.abc@passmail.net", "notes: for shops",
                    "folders: Personal", "trashed",
                ] + times,
                [
                    "card vault 1, item 3", "title: Card", "field cardholderName: Alice", "field cardType: 0",
                    "hidden number: 4111111111111111", "hidden verificationNumber: 123",
                    "field expirationDate: 2030-04",
                    "hidden pin: 1234", "folders: Personal",
                ] + times,
                [
                    "identity vault 1, item 4", "title: Me", "field nick: Al", "field Car: plate: X 1",
                    "field fullName: Alice Example", "field phoneNumber: 555", "field zipOrPostalCode: 12345",
                    "hidden socialSecurityNumber: 000", "folders: Personal",
                ] + times,
                ["note vault 1, item 5", "title: Note", "secret: the text", "folders: Personal"] + times,
                [
                    "key vault 2, item 1", "title: Key", "secret: PRIVATE", "field publicKey: ssh-ed25519 AAAA",
                    "hidden Host: port: 22", "folders: Work",
                ] + times,
                [
                    "wifi vault 2, item 2", "title: Office", "account: Office 5G", "secret: wifi pass",
                    "hidden security: 2", "folders: Work",
                ] + times,
                ["other vault 2, item 3", "title: Custom", "field S: f: v", "folders: Work"] + times,
                [
                    "other vault 2, item 4", "title: New", "hidden beam: x", "hidden createTime: -5", "folders: Work",
                    "changed: 1700000000", "loss: unknown type \"hologram\" of item; all of it is in fields",
                ],
            ]
        )
    }

    @Test func `an export of 2023 has user names and addresses in other places`() throws {
        #expect(
            try Samples.file("protonpass-2023.json").summaries == [
                [
                    "login vault 1, item 1", "title: Old", "site: https://a.example/", "site: https://b.example/",
                    "account: alice", "secret: pw", "folders: Personal", "created: 1680000000", "changed: 1680000001",
                ]
            ]
        )
    }

    @Test func `files of a zip archive are attached`() throws {
        var zip = ZipBytes()
        zip.add("Proton Pass/data.json", String(decoding: try Samples.bytes("protonpass.json"), as: UTF8.self))
        zip.add("Proton Pass/files/photo.png", "png")
        zip.add("Proton Pass/files/other.png", "other")
        let file = try PasswordFile.read(HeldSecret(zip.written), name: "a.zip")
        #expect(file.form == "Proton Pass zip")
        #expect(file.records.count == 9)
        #expect(file.records.first?.attachments.map(\.name) == ["photo.png"])
        #expect(file.losses == ["the description of a vault", "Proton Pass/files/other.png (5 bytes) was not read"])
    }

    @Test func `encrypted exports are refused`() {
        var zip = ZipBytes()
        zip.add("Proton Pass/data.pgp", "-----BEGIN PGP MESSAGE-----")
        let zipError = fileError { _ = try PasswordFile.read(HeldSecret(zip.written), name: "a.zip") }
        #expect(zipError?.description.contains("gpg --decrypt") == true)
        let json = #"{"version": "1", "encrypted": true, "vaults": {}}"#
        let jsonError = fileError { _ = try PasswordFile.read(HeldSecret(json), name: "a.json") }
        #expect(jsonError?.description.contains("export it again, not encrypted") == true)
    }
}
