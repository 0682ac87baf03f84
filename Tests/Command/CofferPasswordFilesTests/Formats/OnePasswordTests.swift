import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("1Password 1PUX") struct OnePasswordTests {
    private let times = ["created: 1614298956", "changed: 1614298956"]

    private func file(_ name: String, _ files: [String: String]) throws -> PasswordFile {
        var zip = ZipBytes()
        zip.add("export.attributes", #"{"version": 3, "description": "1Password Unencrypted Export", "createdAt": 1}"#)
        zip.add("export.data", String(decoding: try Samples.bytes("Archives/" + name), as: UTF8.self))
        for (name, content) in files.sorted(by: { $0.key < $1.key }) { zip.add(name, content) }
        return try PasswordFile.read(HeldSecret(zip.written), name: "export.1pux")
    }

    @Test func `a login is read with every kind of field`() throws {
        let file = try file("1password-3.json", ["files/d1__me.png": "png", "files/d9__other.txt": "other"])
        #expect(file.form == "1Password 1PUX")
        #expect(file.records.count == 10)
        #expect(
            file.summaries.first == [
                "login account 1, vault 1, item 1", "title: Example", "site: https://example.com",
                "site: https://admin.example.com", "account: wendy", "secret: secret", "notes: a note",
                "otp: otpauth://totp/Example:wendy?secret=JBSWY3DP&issuer=Example&algorithm=SHA1&digits=6&period=30",
                "otp: otpauth://totp/Example:wendy?secret=MFRGG&issuer=Example&algorithm=SHA1&digits=6&period=30",
                "field label of address 2: admin", "field mail: w@example.com", "hidden pin: 4321",
                "hidden Security: PIN: 1234", "field Security: f4: untitled", "field Security: mail: x@example.com",
                "field Security: mail 2: y@example.com", "field Security: born: 1960-01-01",
                "field Security: until: 202712", "field Security: home: street: 1 Main St",
                "field Security: home: city: Town", "field Security: home: zip: 12345",
                "field Security: home: country: us", "field Security: see: A note",
                "hidden Security: card: 4111111111111111", "hidden Security: new: {\"x\": 1}",
                "hidden Security: guarded text: guarded value", "folders: Wendy > Personal",
                "tags: one + two", "favorite", "former: older 1600000000", "former: newer 1610000000",
                "attachment: me.png png", "created: 1614298956", "changed: 1635346445",
                "loss: field \"Security: see too\" refers to an item that is not in the file",
            ]
        )
        #expect(file.refused == ["account 1, vault 1, item 10 is not an object"])
        #expect(
            file.losses == [
                "the description of a vault",
                "files/d9__other.txt (5 bytes) was not read",
            ]
        )
    }

    @Test func `all accounts and categories are read`() throws {
        let file = try file("1password-3.json", ["files/d2__plan.txt": "plan!"])
        let place = "account 1, vault 1, item"
        let folders = "folders: Wendy > Personal"
        #expect(
            file.summaries.dropFirst() == [
                ["note \(place) 2", "title: A note", "secret: the text", folders, "archived"] + times,
                ["other \(place) 3", "title: Plan", folders, "attachment: plan.txt plan!"] + times,
                [
                    "login \(place) 4", "title: Password", "site: https://p.example.com", "secret: only a password",
                    folders,
                ] + times,
                [
                    "login \(place) 5", "title: Server", "site: ssh.example.com", "account: root", "secret: toor",
                    "hidden Admin Console: console password: other", folders,
                ] + times,
                [
                    "wifi \(place) 6", "title: Router", "account: Home 5G", "secret: wifi pass",
                    "hidden base station password: base", "field security: wpa3p", folders,
                ] + times,
                [
                    "key \(place) 7", "title: SSH", "secret: inner", "field public key: ssh-ed25519 AAAA",
                    "field fingerprint: SHA256:abc", "field key type: ed25519", folders,
                ] + times,
                [
                    "card \(place) 8", "title: Card", "field cardholder name: Wendy", "field type: visa",
                    "hidden number: 4111111111111111", "hidden verification number: 123", folders,
                ] + times,
                [
                    "other \(place) 9", "title: Future", "hidden beam: x", folders,
                ] + times + ["loss: unknown category of item"],
                [
                    "other account 2, vault 1, item 1", "title: API", "site: api.example.com", "account: bot",
                    "secret: k3y", "folders: Team > Shared",
                ] + times,
            ]
        )
        #expect(file.records.first?.losses.contains("attachment me.png (3 bytes) is not in the archive") == true)
    }

    @Test func `the older shape is read, with files among the items`() throws {
        let file = try file("1password-2.json", ["files/d1__movie.mp4": "film"])
        #expect(
            file.summaries == [
                [
                    "login vault 1, item 1", "title: Old", "site: https://www.example.com", "account: wendy",
                    "secret: secret", "folders: Personal", "trashed", "created: 1614298956", "changed: 1614298957",
                ],
                [
                    "other vault 1, item 2", "title: movie.mp4", "hidden type: video/mp4", "folders: Personal",
                    "attachment: movie.mp4 film",
                ],
                [
                    "other vault 1, item 3", "title: lost.mp4", "hidden type: video/mp4", "folders: Personal",
                    "loss: the file files/d2__lost.mp4 is not in the archive",
                ],
            ]
        )
        #expect(file.remarks == ["1Password exports no passkeys and no deleted items"])
    }

    @Test func `data that is not an object is refused`() {
        var zip = ZipBytes()
        zip.add("export.data", "[]")
        let error = fileError { _ = try PasswordFile.read(HeldSecret(zip.written), name: "a.1pux") }
        #expect(error == .invalid("export.data is not an object"))
    }
}
