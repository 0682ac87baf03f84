import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("Entries of password stores") struct PasswordStoreTests {
    private func pass(_ text: String, path: String = "web/example.com") -> [String] {
        PasswordStoreEntry.record(of: HeldSecret(text), path: path, program: .pass).summary
    }

    private func gopass(_ text: String, path: String = "web/example.com") -> [String] {
        PasswordStoreEntry.record(of: HeldSecret(text), path: path, program: .gopass).summary
    }

    private let start = ["login web/example.com", "title: example.com"]
    private let end = ["folders: web"]
    private let parameters = "algorithm=SHA1&digits=6&period=30"

    // MARK: - pass

    @Test func `pass: well-known keys are taken, and all other lines are notes in their order`() {
        let text = """
            secret: not a key
            some text
            login: alice
            URL: https://example.com/login
            email: alice@example.com
            otpauth://totp/Example:alice?secret=JBSWY3DP&issuer=Example
            https://example.com/reset
            color: blue

            pin:1234
            notes: last words
            """
        #expect(
            pass(text + "\n") == start + [
                "site: https://example.com/login", "account: alice", "secret: secret: not a key",
                "notes: some text\nhttps://example.com/reset\ncolor: blue\n\nlast words",
                "otp: otpauth://totp/Example:alice?secret=JBSWY3DP&issuer=Example&\(parameters)", "hidden pin: 1234",
                "field email: alice@example.com",
            ] + end
        )
    }

    @Test func `pass: entries without a newline, password or text`() {
        #expect(pass("secret") == start + ["secret: secret"] + end)
        #expect(pass("") == start + end)
        #expect(pass("\nuser: bob\n") == start + ["account: bob"] + end)
        #expect(pass("  blanks  \n") == start + ["secret:   blanks  "] + end)
        #expect(pass("pw", path: "top") == ["login top", "title: top", "secret: pw"])
        #expect(
            pass("pw", path: "a/b c/@d\u{E9}") == [
                "login a/b c/@d\u{E9}", "title: @d\u{E9}", "secret: pw", "folders: a > b c",
            ]
        )
    }

    @Test func `pass: the address of mail is the account if there is no other`() {
        #expect(
            pass("pw\nemail: a@example.com\nemail: b@example.com") == start + [
                "account: a@example.com", "secret: pw", "field email: b@example.com",
            ] + end
        )
    }

    @Test func `pass: line ends of Windows are reported`() {
        #expect(
            pass("pw\r\nuser: bob\r\nmore\r\n") == start + [
                "account: bob", "secret: pw", "notes: more",
            ] + end + ["loss: the carriage return after the password"]
        )
    }

    @Test func `pass: one-time passwords as the password, several of them, and broken ones`() {
        let uri = "otpauth://totp/A?secret=JBSWY3DP"
        let other = "otpauth://totp/B?secret=MFRGG"
        let label = "issuer=example.com"
        #expect(
            pass("\(uri)\n\(other)\notpauth://totp/C\ntotp: nonsense!") == start + [
                "otp: otpauth://totp/A?secret=JBSWY3DP&\(parameters)",
                "otp: otpauth://totp/B?secret=MFRGG&\(parameters)",
                "hidden otpauth: otpauth://totp/C", "hidden totp: nonsense!",
            ] + end + [
                "loss: the one-time password was kept as a field: it has no secret",
                "loss: the one-time password was kept as a field: its secret is not base32",
            ]
        )
        #expect(
            pass("pw\nuser: bob\ntotp: jbsw y3dp") == start + [
                "account: bob", "secret: pw",
                "otp: otpauth://totp/example.com:bob?secret=JBSWY3DP&\(label)&\(parameters)",
            ] + end
        )
    }

    @Test(arguments: [[0x89, 0x50, 0x4E, 0x47, 0xFF], [0x61, 0, 0x62]] as [[UInt8]])
    func `pass: a file that is not text is a secret as a whole`(bytes: [UInt8]) {
        let record = PasswordStoreEntry.record(of: HeldSecret(copying: bytes.span), path: "a/b.png", program: .pass)
        #expect(record.kind == .other)
        #expect(record.secret?.array == bytes)
        #expect(record.losses == ["not a text; all of it is the secret"])
    }

    @Test func `pass: what gopass has besides is text`() {
        #expect(pass("pw\n---\nkey: value") == start + ["secret: pw", "notes: ---\nkey: value"] + end)
    }

    // MARK: - gopass

    @Test func `gopass: keys and values`() {
        let text = """
            pw: not a key
            user: alice
            color:  two blanks
             key : v: w
            key: again
            no value:
            a:b
            free text
            """
        #expect(
            gopass(text) == start + [
                "account: alice", "secret: pw: not a key", "notes: no value:\na:b\nfree text",
                "hidden color:  two blanks", "hidden key: v: w", "hidden key: again",
            ] + end
        )
    }

    @Test func `gopass: one-time passwords in fields, lines and the password`() {
        let uri = "otpauth://totp/A?secret=JBSWY3DP"
        let read = "otp: otpauth://totp/A?secret=JBSWY3DP&\(parameters)"
        #expect(gopass("pw\notpauth: //totp/A?secret=JBSWY3DP") == start + ["secret: pw", read] + end)
        #expect(gopass("pw\notpauth: \(uri)") == start + ["secret: pw", read] + end)
        #expect(gopass("pw\n\(uri)") == start + ["secret: pw", read] + end)
        #expect(gopass(uri) == start + [read] + end)
        #expect(
            gopass("pw\nhotp: otpauth://hotp/A?secret=JBSWY3DP&counter=3") == start + [
                "secret: pw", "otp: otpauth://hotp/A?secret=JBSWY3DP&algorithm=SHA1&digits=6&counter=3",
            ] + end
        )
        #expect(gopass("pw\nhotp: JBSWY3DP") == start + ["secret: pw", "hidden hotp: JBSWY3DP"] + end)
    }

    @Test func `gopass: YAML, in which all values are text`() {
        let text = """
            pw
            text before
            ---
            number: 0123
            user: bob
            # comment
            quoted: "a \\"b\\" \\n"
            single: 'it''s'
            address: https://example.com:8443/
            block: |
              line 1
                line 2

              line 3
            list:
            - one
            - two
            map:
              inner: x
            empty:
            ...
            """
        #expect(
            gopass(text) == start + [
                "account: bob", "secret: pw", "notes: text before\n# comment", "hidden number: 0123",
                "hidden quoted: a \"b\" \n", "hidden single: it's", "hidden address: https://example.com:8443/",
                "hidden block: line 1\n  line 2\n\nline 3", "hidden list: - one\n- two", "hidden map: inner: x",
            ] + end
        )
    }

    @Test func `gopass: the old form with headers`() {
        let text = "GOPASS-SECRET-1.0\nPassword: pw\nUser: alice\nColor: blue\n\nthe body\nUrl: x\n"
        #expect(
            gopass(text) == start + [
                "account: alice", "secret: pw", "notes: the body\nUrl: x", "hidden Color: blue",
            ] + end
        )
    }

    @Test func `gopass: a file in base64`() {
        let text =
            "\nContent-Disposition: attachment; filename=\"hello.bin\"\nContent-Transfer-Encoding: Base64\n\naGVs\nbG8A\n"
        #expect(
            gopass(text, path: "files/hello") == [
                "other files/hello", "title: hello", "secret: hello\0", "field filename: hello.bin", "folders: files",
            ]
        )
    }

    @Test func `gopass: a reference to another entry is reported`() {
        #expect(
            gopass("gopass://other/entry") == start + ["secret: gopass://other/entry"] + end + [
                "loss: the password refers to the entry other/entry"
            ]
        )
    }
}
