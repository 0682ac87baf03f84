import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("Enpass JSON") struct EnpassTests {
    @Test func `every field is read by its type`() throws {
        let file = try Samples.file("enpass.json")
        #expect(file.form == "Enpass JSON")
        #expect(
            file.summaries == [
                [
                    "login item 1", "title: Twitter", "site: https://www.twitter.com/", "site: https://x.com/",
                    "account: emily", "secret: herbert nadia", "notes: a note",
                    "otp: otpauth://totp/Twitter:emily?secret=QG4RPWYF4T23V62G4TA3NE4374&issuer=Twitter&algorithm=SHA1&digits=6&period=30",
                    "field E-Mail: emily@enpass.io", "field WEITERE ANGABEN: Frage: Which pet?",
                    "hidden WEITERE ANGABEN: Antwort: a cat", "hidden WEITERE ANGABEN: PIN: 4711",
                    "hidden WEITERE ANGABEN: Zweites Passwort: second",
                    "hidden WEITERE ANGABEN: Zweites Passwort: extra: ?",
                    "tags: Private + Private/Mail", "favorite", "former: older 1534490049", "former: newer 1535521734",
                    "created: 1697729073", "changed: 1698057141", "loss: a folder of it is not in the file",
                    "loss: a former password is encrypted", "loss: deleted field \"Alt\"",
                    "loss: 2 former values of field \"E-Mail\"",
                ],
                [
                    "note item 2", "title: A note", "secret: the text", "hidden attachments: data: ***", "archived",
                    "trashed", "attachment: hello.txt hello", "created: 1697729073",
                    "changed: 1698057141", "loss: attachment bad.bin: its content is missing or not base64",
                ],
                [
                    "card item 3", "title: Card", "field Cardholder: Emily", "hidden Number: 4111111111111111",
                    "hidden CVC: 123", "field Expiry date: 03/30", "created: 1697729073", "changed: 1698057141",
                ],
            ]
        )
        #expect(
            file.remarks == ["Enpass exports neither passkeys nor the name of the vault; icons are never taken over"]
        )
        #expect(file.refused == [])
    }

    @Test func `a file without folders is read, and mail is the account if there is no user name`() throws {
        #expect(
            try Samples.file("enpass-2018.json").summaries == [
                ["login item 1", "title: Old", "account: wendy@enpass.io", "secret: pw", "changed: 1534490049"]
            ]
        )
    }

    @Test func `folders in a circle end`() throws {
        let text = #"""
            {"folders": [{"uuid": "a", "parent_uuid": "b", "title": "A"}, {"uuid": "b", "parent_uuid": "a", "title": "B"}],
             "items": [{"title": "x", "template_type": "login.default", "folders": ["a"]}]}
            """#
        let file = try PasswordFile.read(HeldSecret(text), name: "x.json")
        #expect(file.records.first?.tags.first?.hasSuffix("A/B/A") == true)
    }
}
