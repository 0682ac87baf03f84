import CofferBasics
import CofferPasswordFiles
import Testing

// The expected files were typed from the public descriptions of each form.
@Suite("CSV files that are written") struct CSVWriterTests {
    private let uri = "otpauth://totp/Mail:kim?secret=JBSWY3DPEHPK3PXP"

    @Test func `Apple Passwords gets its six columns`() {
        let file = WrittenFile(.apple, [.login, .note("text")])
        #expect(
            file.text == """
                Title,URL,Username,Password,Notes,OTPAuth
                Mail,https://mail.example.com/login,kim,"p,""q""\","one
                two",\(uri)
                Note,,,,text,

                """
        )
        #expect(
            file.losses == [
                "records without their dates: 1", "notes, cards, keys and others that become logins: 1",
                "rows without an address, which Apple Passwords may refuse: 1",
            ]
        )
    }

    @Test func `Chrome gets its five columns`() {
        let file = WrittenFile(.chrome, [.login])
        #expect(
            file.text == """
                name,url,username,password,note
                Mail,https://mail.example.com/login,kim,"p,""q""\","one
                two"

                """
        )
        #expect(file.losses == ["one-time passwords: 1", "records without their dates: 1"])
    }

    @Test func `Firefox gets quoted values, empty cells for null, and no newline at the end`() {
        var login = PasswordRecord.login
        login.sites = ["HTTPS://kim@mail.example.com:8443/a?b"]
        var other = PasswordRecord(at: "item 2")
        (other.sites, other.account, other.secret) = (["http://router/"], "", HeldSecret("x"))
        other.realm = "Router \"1\""
        let file = WrittenFile(.firefox, [login, other])
        let lines = [
            "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\",\"timeCreated\","
                + "\"timeLastUsed\",\"timePasswordChanged\"",
            "\"https://mail.example.com:8443\",\"kim\",\"p,\"\"q\"\"\",,\"\",,\"1767225600000\",,\"1769862600000\"",
            "\"http://router\",\"\",\"x\",\"Router \"\"1\"\"\",,,,,",
        ]
        #expect(file.text == lines.joined(separator: "\r\n"))
        #expect(
            file.losses == [
                "titles: 1", "addresses that are written without their path: 1", "notes: 1", "one-time passwords: 1",
            ]
        )
    }

    @Test func `Bitwarden gets its eleven columns and fields as lines`() {
        var login = PasswordRecord.login
        login.sites = ["https://a.example/?q=1,2", "https://b.example/\"", "c"]
        login.folders = ["Work", "Mail"]
        login.isFavorite = true
        login.fields = [PasswordRecord.Field("x: y", HeldSecret("1")), PasswordRecord.Field("z", HeldSecret(""))]
        let file = WrittenFile(.bitwarden, [login, .note("text")])
        let lines = [
            "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp",
            "Work/Mail,1,login,Mail,\"one\ntwo\",\"x: y: 1\nz: \",0,"
                + "\"\"\"https://a.example/?q=1,2\"\",\"\"https://b.example/\"\"\"\"\"\",c\",kim,\"p,\"\"q\"\"\",\(uri)",
            ",,note,Note,text,,0,,,,", "",
        ]
        #expect(file.text == lines.joined(separator: "\r\n"))
        #expect(file.losses == ["records without their dates: 1"])
    }

    @Test func `KeePassXC gets ten quoted columns below the root group`() {
        var login = PasswordRecord.login
        login.folders = ["#1", "Mail"]
        let file = WrittenFile(.keePassXC, [login, .note("text")])
        #expect(
            file.text == """
                "Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"
                "Root/#1/Mail","Mail","kim","p,""q""\","https://mail.example.com/login","one
                two","\(uri)","0","2026-01-31T12:30:00Z","2026-01-01T00:00:00Z"
                "Root","Note","","","","text","","0","",""

                """
        )
        #expect(file.losses == ["notes, cards, keys and others that become logins: 1"])
    }

    @Test func `1Password gets its nine columns`() {
        var login = PasswordRecord.login
        login.tags = ["x", "y"]
        login.isArchived = true
        let file = WrittenFile(.onePassword, [login])
        #expect(
            file.text == """
                Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes
                Mail,https://mail.example.com/login,kim,"p,""q""\",\(uri),false,true,x;y,"one
                two"

                """
        )
        #expect(file.losses == ["records without their dates: 1"])
    }

    @Test func `a file without records has its header`() {
        #expect(WrittenFile(.chrome, []).text == "name,url,username,password,note\n")
        #expect(WrittenFile(.firefox, []).text.hasSuffix("\"timePasswordChanged\""))
    }

    @Test func `browsers and Apple get a row for each address`() {
        var record = PasswordRecord(at: "item 1")
        (record.title, record.account, record.secret) = ("T", "kim", HeldSecret("x"))
        record.sites = ["https://a.example", "https://b.example"]
        #expect(
            WrittenFile(.apple, [record]).text.hasSuffix("\nT,https://a.example,kim,x,,\nT,https://b.example,kim,x,,\n")
        )
        #expect(
            WrittenFile(.chrome, [record]).text.hasSuffix("\nT,https://a.example,kim,x,\nT,https://b.example,kim,x,\n")
        )
        #expect(WrittenFile(.firefox, [record]).text.split(separator: "\r\n").count == 3)
        #expect(WrittenFile(.keePassXC, [record]).losses == ["further addresses: 1"])
    }

    @Test(arguments: [
        ("=1+1", "=1+1"), ("-x", "-x"), ("@x", "@x"), ("#x", "#x"), (" x", "\" x\""), ("x\t", "\"x\t\""),
        ("a b", "a b"),
        ("\r", "\"\r\""), ("a\r\nb", "\"a\r\nb\""), ("\"", "\"\"\"\""), ("a'b", "a'b"),
        ("\u{E9}\u{1F600}", "\u{E9}\u{1F600}"),
        ("a\0b", "a\0b"), ("", ""),
    ])
    func `values are unchanged, in quotes if they need them`(value: String, cell: String) {
        var record = PasswordRecord(at: "item 1")
        record.secret = HeldSecret(value)
        #expect(
            WrittenFile(.apple, [record]).text.utf8.elementsEqual(
                "Title,URL,Username,Password,Notes,OTPAuth\n,,,\(cell),,\n".utf8
            )
        )
    }

    @Test func `the text of a note and its comment become one note`() {
        var note = PasswordRecord.note("text")
        note.notes = HeldSecret("comment")
        #expect(WrittenFile(.apple, [note]).text.hasSuffix("\nNote,,,,\"text\n\ncomment\",\n"))
        // Firefox has no notes: only there, the text is in the column of the password.
        #expect(WrittenFile(.firefox, [note]).text.hasSuffix("\r\n\"\",\"\",\"text\",,\"\",,,,"))
    }

    @Test func `a note with an account is a login for Bitwarden`() {
        var note = PasswordRecord.note("text")
        note.account = "kim"
        let file = WrittenFile(.bitwarden, [note])
        #expect(file.text.hasSuffix("\r\n,,login,Note,text,,0,,kim,,\r\n"))
        #expect(file.losses == ["notes, cards, keys and others that become logins: 1"])
    }
}
