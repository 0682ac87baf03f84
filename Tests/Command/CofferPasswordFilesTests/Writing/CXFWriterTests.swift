import CofferBasics
import CofferPasswordFiles
import Testing

// The expected files were typed from the Credential Exchange Format 1.0.
@Suite("Credential Exchange Format") struct CXFWriterTests {
    private func file(_ items: [String], collections: String = "") -> String {
        let head = """
            {"version":{"major":1,"minor":0},"exporterRpId":"coffer","exporterDisplayName":"Coffer","timestamp":1767225600,\
            "accounts":[{"id":"-_8","username":"","email":"","items":[
            """
        return head + "\n" + items.map { $0 + "\n" }.joined() + "],\"collections\":[\(collections)]}]}\n"
    }

    /// The credentials of one record.
    private func credentials(_ record: PasswordRecord) throws -> String {
        let tree = try JSONTree(HeldSecret(WrittenFile(.cxf, [record]).bytes))
        let item = try #require(tree.root["accounts"]?.elements.first?["items"]?.elements.first)
        return item["credentials"]?.source.text ?? ""
    }

    @Test func `a login has its scope, its dates, its password and its one-time password`() {
        var record = PasswordRecord.login
        record.isFavorite = true
        record.tags = ["a", "b"]
        // The ids are the identifier, 1 for an item and a number of eight bytes: FB FF 01 00 00 00 00 00 00 00 00.
        let item = #"""
            {"id":"-_8BAAAAAAAAAAA","creationAt":1767225600,"modifiedAt":1769862600,"title":"Mail","favorite":true,\#
            "scope":{"urls":["https://mail.example.com/login"],"androidApps":[]},"credentials":[\#
            {"type":"basic-auth","username":{"fieldType":"string","value":"kim"},\#
            "password":{"fieldType":"concealed-string","value":"p,\"q\""}},\#
            {"type":"totp","secret":"JBSWY3DPEHPK3PXP","period":30,"digits":6,"algorithm":"sha1","username":"kim",\#
            "issuer":"Mail"},\#
            {"type":"note","content":{"fieldType":"string","value":"one\ntwo"}}],"tags":["a","b"]}
            """#
        #expect(WrittenFile(.cxf, [record]).text == file([item]))
    }

    @Test func `folders become collections that contain collections`() {
        func record(_ title: String, _ folders: [String]) -> PasswordRecord {
            var record = PasswordRecord(at: title)
            (record.title, record.folders) = (title, folders)
            return record
        }
        let text = WrittenFile(.cxf, [record("a", ["X", "Y"]), record("b", []), record("c", ["X"])]).text
        let ids = ["-_8BAAAAAAAAAAA", "-_8BAQAAAAAAAAA", "-_8BAgAAAAAAAAA"]
        let items = zip(ids, ["a", "b", "c"]).map { #"{"id":"\#($0)","title":"\#($1)","credentials":[]}"# }
        let collections = """
            {"id":"-_8CAAAAAAAAAAA","title":"X","items":[{"item":"\(ids[2])"}],"subCollections":[\
            {"id":"-_8CAQAAAAAAAAA","title":"Y","items":[{"item":"\(ids[0])"}]}]}
            """
        #expect(text == file([items[0] + ",", items[1] + ",", items[2]], collections: collections))
    }

    @Test func `folders are nested at most 16 deep`() throws {
        var record = PasswordRecord(at: "item 1")
        record.folders = (1...1000).map(String.init)
        let tree = try JSONTree(HeldSecret(WrittenFile(.cxf, [record]).bytes))
        var collections = tree.root["accounts"]?.elements.first?["collections"]?.elements ?? []
        var titles: [String] = []
        while let collection = collections.first {
            titles.append(collection["title"]?.text ?? "")
            collections = collection["subCollections"]?.elements ?? []
        }
        #expect(titles.count == 16)
        #expect(titles.first == "1")
        #expect(titles.last?.hasPrefix("16/17/18/") == true)
    }

    @Test func `a passkey has its ids in base64 for URLs`() throws {
        var record = PasswordRecord(at: "item 1")
        record.passkeys = PasswordRecord.everything.passkeys
        #expect(
            try credentials(record)
                == #"[{"type":"passkey","credentialId":"AQIDBA","rpId":"example.com","username":"kim","#
                + #""userDisplayName":"Kim","userHandle":"_-8","key":"a2V5"}]"#
        )
    }

    @Test func `a note is a note`() throws {
        #expect(
            try credentials(.note("\u{1}\u{E9}"))
                == #"[{"type":"note","content":{"fieldType":"string","value":"\u0001é"}}]"#
        )
    }

    @Test func `fields and the realm are custom fields`() throws {
        var record = PasswordRecord(at: "item 1")
        record.realm = "Staff"
        record.fields = PasswordRecord.everything.fields
        #expect(
            try credentials(record)
                == #"[{"type":"custom-fields","fields":["#
                + #"{"fieldType":"string","value":"Staff","label":"realm"},"#
                + #"{"fieldType":"concealed-string","value":"1234","label":"PIN"},"#
                + #"{"fieldType":"string","value":"blue: light","label":"color"},"#
                + #"{"fieldType":"string","value":"2\n3","label":"size"}]}]"#
        )
    }

    @Test(arguments: [
        "otpauth://hotp/x?secret=JBSWY3DP&counter=7", "otpauth://totp/x?secret=JBSWY3DP&encoder=steam",
        "otpauth://totp/x?secret=JBSWY3DP&period=256", "otpauth://totp/x?secret=JBSWY3D1", "?",
    ])
    func `other one-time passwords are hidden fields`(uri: String) throws {
        var record = PasswordRecord(at: "item 1")
        record.oneTimePasswords = [HeldSecret(uri)]
        #expect(
            try credentials(record)
                == #"[{"type":"custom-fields","fields":[{"fieldType":"concealed-string","value":"\#(uri)","#
                + #""label":"one-time password"}]}]"#
        )
        #expect(WrittenFile(.cxf, [record]).losses == ["one-time passwords that are written as hidden fields: 1"])
    }

    @Test func `a one-time password keeps its parameters`() throws {
        var record = PasswordRecord(at: "item 1")
        let parameters = "secret=jbsw%20y3dp&algorithm=SHA256&digits=8&period=60&image=x"
        record.oneTimePasswords = [HeldSecret("otpauth://totp/kim?\(parameters)")]
        #expect(
            try credentials(record)
                == #"[{"type":"totp","secret":"JBSWY3DP","period":60,"digits":8,"algorithm":"sha256","username":"kim"}]"#
        )
        #expect(WrittenFile(.cxf, [record]).losses == ["unknown parameters of one-time passwords: 1"])
    }

    // MARK: - Keys

    private func key(_ text: String) -> PasswordRecord {
        var record = PasswordRecord(.key, at: "item 1")
        record.secret = HeldSecret(text)
        return record
    }

    // The first is the example of RFC 8410, section 10.3; the others have the algorithms of RFC 5480 and RFC 8017
    // and an empty key.
    @Test(arguments: [
        ("MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC", "ssh-ed25519"),
        ("MBoCAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEAA==", "ecdsa-sha2-nistp256"),
        ("MBcCAQAwEAYHKoZIzj0CAQYFK4EEACIEAA==", "ecdsa-sha2-nistp384"),
        ("MBcCAQAwEAYHKoZIzj0CAQYFK4EEACMEAA==", "ecdsa-sha2-nistp521"),
        ("MBQCAQAwDQYJKoZIhvcNAQEBBQAEAA==", "ssh-rsa"),
    ])
    func `a key in PKCS 8 is a key of SSH`(base64: String, type: String) throws {
        let pem = "-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n"
        let letters = base64.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        let expected = #"[{"type":"ssh-key","keyType":"\#(type)","privateKey":"\#(String(letters))"}]"#
        #expect(try credentials(key(pem)) == expected)
        var record = PasswordRecord(.key, at: "item 1")
        let der = bytes(base64: base64)
        record.secret = HeldSecret(copying: der.span)
        #expect(try credentials(record) == expected)
        #expect(WrittenFile(.cxf, [record]).losses == [])
    }

    @Test func `a key whose length takes several bytes is recognized, but only if it is whole`() throws {
        // A key of RSA of 1,196 bytes: its sequence has 4 + 3 + 15 + 4 + 1,174 bytes.
        var der: [UInt8] = [0x30, 0x82, 0x04, 0xAC, 0x02, 0x01, 0x00, 0x30, 0x0D, 0x06, 0x09]
        der += [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00, 0x04, 0x82, 0x04, 0x96]
        der += Array(repeating: 7, count: 1174)
        var record = PasswordRecord(.key, at: "item 1")
        record.secret = HeldSecret(copying: der.span)
        #expect(try credentials(record).hasPrefix(#"[{"type":"ssh-key","keyType":"ssh-rsa","privateKey":"MIIErAIB"#))
        for count in 0..<der.count {
            let cut = Array(der.prefix(count))
            record.secret = HeldSecret(copying: cut.span)
            #expect(try !credentials(record).contains("ssh-key"))
        }
        let longer = der + [0]
        record.secret = HeldSecret(copying: longer.span)
        #expect(try !credentials(record).contains("ssh-key"))
    }

    @Test(arguments: [
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw", "-----BEGIN PRIVATE KEY-----", "0", "",
    ])
    func `another key is a hidden field`(text: String) throws {
        let value = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
        #expect(
            try credentials(key(text))
                == #"[{"type":"custom-fields","fields":[{"fieldType":"concealed-string","value":"\#(value)","#
                + #""label":"private key"}]}]"#
        )
        #expect(
            WrittenFile(.cxf, [key(text)]).losses == [
                "keys that are not in PKCS #8 and are written as hidden fields: 1"
            ]
        )
    }
}
