import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("URIs of one-time passwords") struct OneTimePasswordURITests {
    private func read(_ text: String) throws -> OneTimePasswordURI {
        let bytes = Array(text.utf8)
        return try OneTimePasswordURI(bytes.span)
    }

    private func error(_ text: String) -> OneTimePasswordError? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return error as? OneTimePasswordError
        }
    }

    // The example of the Key URI Format.
    @Test func `all parameters are read`() throws {
        let generator = try read(
            "otpauth://totp/ACME%20Co:john.doe@email.com?secret=HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ"
                + "&issuer=ACME%20Co&algorithm=SHA512&digits=8&period=60"
        )
        #expect(generator.label == "ACME Co:john.doe@email.com")
        #expect(generator.issuer == "ACME Co")
        #expect(generator.account == "john.doe@email.com")
        #expect(generator.algorithm == .sha512)
        #expect(generator.digitCount == 8)
        #expect(generator.kind == .time(period: 60))
        #expect(!generator.isSteam)
        #expect(
            generator.text.text == "otpauth://totp/ACME%20Co:john.doe@email.com?secret=HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ"
                + "&issuer=ACME%20Co&algorithm=SHA512&digits=8&period=60"
        )
    }

    // The fuzzer found it: the blank was dropped when the text was read again.
    @Test func `a blank before a fragment is no part of a parameter`() throws {
        let text = try read("otpauth://totp/A?secret=JBSWY3DP&note=x & #fragment").text
        #expect(text.text == "otpauth://totp/A?secret=JBSWY3DP&algorithm=SHA1&digits=6&period=30&note=x")
        #expect(try read(text.text).text.text == text.text)
    }

    // RFC 6238, appendix B: the secret of the test vectors.
    @Test func `the secret is given as bytes`() throws {
        #expect(try read("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ").secret.text == "12345678901234567890")
    }

    /// Each text, and the URI that is the same for all ways to write it.
    @Test(arguments: [
        // Bare secrets.
        ("JBSWY3DPEHPK3PXP", "totp/?secret=JBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30"),
        (" jbsw y3dp-ehpk 3pxp\n", "totp/?secret=JBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30"),
        ("MFRGG===", "totp/?secret=MFRGG&algorithm=SHA1&digits=6&period=30"),
        ("steam://jbswy3dpehpk3pxp", "totp/?secret=JBSWY3DPEHPK3PXP&algorithm=SHA1&digits=5&period=30&encoder=steam"),
        // Apple writes no label.
        (
            "otpauth://totp?secret=JBSWY3DP&algorithm=SHA1&digits=6&period=30",
            "totp/?secret=JBSWY3DP&algorithm=SHA1&digits=6&period=30"
        ),
        // KeePassXC for Steam; the host of Aegis.
        (
            "otpauth://totp/Steam:me?secret=JBSWY3DP&period=30&digits=5&issuer=Steam&encoder=steam",
            "totp/Steam:me?secret=JBSWY3DP&issuer=Steam&algorithm=SHA1&digits=5&period=30&encoder=steam"
        ),
        (
            "otpauth://steam/Steam:me?secret=JBSWY3DP&issuer=Steam",
            "totp/Steam:me?secret=JBSWY3DP&issuer=Steam&algorithm=SHA1&digits=5&period=30&encoder=steam"
        ),
        // Encoded in full, with capitals, blanks as plus, a parameter of its own and a fragment.
        (
            "OTPAUTH://TOTP/My%20Shop%3Ame%2Byou%40example.com?SECRET=jbsw%20y3dp%3D&Issuer=My+Shop"
                + "&algorithm=hmac-sha-256&image=https%3A%2F%2Fexample.com%2Fa.png#top",
            "totp/My%20Shop:me%2Byou@example.com?secret=JBSWY3DP&issuer=My%20Shop&algorithm=SHA256&digits=6&period=30"
                + "&image=https%3A%2F%2Fexample.com%2Fa.png"
        ),
        ("otpauth://hotp/a?secret=JBSWY3DP&counter=42", "hotp/a?secret=JBSWY3DP&algorithm=SHA1&digits=6&counter=42"),
        // Empty parameters are as good as none.
        (
            "otpauth://totp/?secret=JBSWY3DP&digits=&period=&issuer=&&",
            "totp/?secret=JBSWY3DP&algorithm=SHA1&digits=6&period=30"
        ),
        // KeeOtp.
        ("key=jbswy3dp", "totp/?secret=JBSWY3DP&algorithm=SHA1&digits=6&period=30"),
        (
            "key=JBSWY3DP&size=8&step=60&otpHashMode=Sha512&type=Totp",
            "totp/?secret=JBSWY3DP&algorithm=SHA512&digits=8&period=60"
        ),
        ("type=hotp&counter=3&key=JBSWY3DP", "hotp/?secret=JBSWY3DP&algorithm=SHA1&digits=6&counter=3"),
        // "Zm9vYmFy" is "foobar" in base64.
        ("key=Zm9vYmFy&encoding=Base64", "totp/?secret=MZXW6YTBOI&algorithm=SHA1&digits=6&period=30"),
    ])
    func `every form becomes one URI, which is read again as it is`(text: String, uri: String) throws {
        #expect(try read(text).text.text == "otpauth://" + uri)
        #expect(try read("otpauth://" + uri).text.text == "otpauth://" + uri)
    }

    @Test(
        arguments: [
            ("", .noSecret), ("  ", .noSecret), ("M", .noSecret), ("otpauth://totp/a", .noSecret),
            ("otpauth://totp/a?secret=", .noSecret), ("not base32!", .notBase32), ("JBSWY3D1", .notBase32),
            ("otpauth://totp/a?secret=JBSW%00", .notBase32), ("otpauth://motp/a?secret=JBSWY3DP", .unsupportedKind),
            ("otpauth-migration://offline?data=CjEK", .notBase32),
            ("otpauth://totp/a?secret=JBSWY3DP&algorithm=MD5", .unsupportedAlgorithm),
            ("otpauth://totp/a?secret=JBSWY3DP&digits=0", .invalidDigitCount),
            ("otpauth://totp/a?secret=JBSWY3DP&digits=11", .invalidDigitCount),
            ("otpauth://totp/a?secret=JBSWY3DP&period=0", .invalidPeriod),
            ("otpauth://totp/a?secret=JBSWY3DP&period=86401", .invalidPeriod),
            ("otpauth://totp/a?secret=JBSWY3DP&period=99999999999999999999", .invalidPeriod),
            ("otpauth://hotp/a?secret=JBSWY3DP", .invalidCounter),
            ("otpauth://hotp/a?secret=JBSWY3DP&counter=-1", .invalidCounter),
            ("otpauth://totp/a?secret=JBSWY3DP&secret=JBSWY3DQ", .duplicateParameter),
            ("key=66GG&encoding=Hex", .invalidEncoding), ("key=JBSWY3DP&encoding=Rot13", .invalidEncoding),
        ] as [(String, OneTimePasswordError)]
    )
    func `what is no generator says why`(text: String, expected: OneTimePasswordError) {
        #expect(error(text) == expected)
    }

    @Test func `a text has at most 16 KiB`() {
        #expect(error(String(repeating: "A", count: 1 << 14)) == nil)
        #expect(error(String(repeating: "A", count: 1 << 14 + 1)) == .tooLong)
    }

    // Each parameter is compared with those before it.
    @Test func `there are at most 64 parameters`() throws {
        func uri(_ count: Int) -> String {
            "otpauth://totp/a?secret=JBSWY3DP" + (1..<count).map { "&p\($0)=1" }.joined()
        }
        #expect(error(uri(64)) == nil)
        #expect(error(uri(65)) == .tooManyParameters)
    }

    @Test func `a label is made only if there is none`() throws {
        var generator = try read("JBSWY3DP")
        generator.label(issuer: "Shop", account: "me")
        #expect(
            generator.text.text
                == "otpauth://totp/Shop:me?secret=JBSWY3DP&issuer=Shop&algorithm=SHA1&digits=6&period=30"
        )
        generator.label(issuer: "Other", account: "you")
        #expect(generator.label == "Shop:me")
        #expect(generator.account == "me")
    }

    @Test func `the issuer may be in the label only`() throws {
        let generator = try read("otpauth://totp/Example:%20alice@example.com?secret=JBSWY3DP")
        #expect(generator.issuer == "Example")
        #expect(generator.account == "alice@example.com")
    }
}

@Suite("One-time passwords in fields") struct OneTimePasswordFieldTests {
    private func find(_ fields: [String: String]) -> [OneTimePasswordURI.Split] {
        OneTimePasswordURI.inFields { fields[$0].map { HeldSecret($0) } }
    }

    private func uris(_ fields: [String: String]) throws -> [String] {
        try find(fields).map { try $0.result.get().text.text }
    }

    // KeePass help: all of them are the secret of RFC 6238, appendix B, for SHA-256.
    @Test(arguments: [
        ("TimeOtp-Secret", "12345678901234567890123456789012"),
        ("TimeOtp-Secret-Hex", "3132333435363738393031323334353637383930313233343536373839303132"),
        ("TimeOtp-Secret-Base32", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA"),
        ("TimeOtp-Secret-Base64", "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI="),
    ])
    func `secrets in every encoding become base32`(name: String, value: String) throws {
        let fields = [name: value, "TimeOtp-Length": "8", "TimeOtp-Period": "60", "TimeOtp-Algorithm": "HMAC-SHA-256"]
        #expect(
            try uris(fields) == [
                "otpauth://totp/?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA"
                    + "&algorithm=SHA256&digits=8&period=60"
            ]
        )
        #expect(Set(find(fields).flatMap(\.fields)) == Set(fields.keys))
    }

    @Test func `counters, seeds and texts are found`() throws {
        #expect(
            try uris(["HmacOtp-Secret-Base32": "JBSWY3DP", "HmacOtp-Counter": "7"])
                == ["otpauth://hotp/?secret=JBSWY3DP&algorithm=SHA1&digits=6&counter=7"]
        )
        #expect(
            try uris(["TOTP Seed": "jbsw y3dp", "TOTP Settings": "60;8", "otp": "key=MFRGG"]) == [
                "otpauth://totp/?secret=JBSWY3DP&algorithm=SHA1&digits=8&period=60",
                "otpauth://totp/?secret=MFRGG&algorithm=SHA1&digits=6&period=30",
            ]
        )
        #expect(
            try uris(["TOTP Seed": "JBSWY3DP", "TOTP Settings": "30;S"])
                == ["otpauth://totp/?secret=JBSWY3DP&algorithm=SHA1&digits=5&period=30&encoder=steam"]
        )
        #expect(try uris(["TOTP Seed": "JBSWY3DP"]).count == 1)
        #expect(find(["TOTP Settings": "30;6", "Other": "x"]).isEmpty)
    }

    @Test func `a field that is no generator is found with the reason`() {
        let found = find(["otp": "no!"])
        #expect(found.map(\.fields) == [["otp"]])
        #expect(throws: OneTimePasswordError.notBase32) { try found.first?.result.get() }
    }
}
