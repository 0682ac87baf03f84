import Coffer
import CofferSecurity
import Foundation
import TestSupport
import Testing

@Suite("Verbs of macOS security", .temporaryDirectory) struct MacOSVerbTests {
    private static let verbs = [
        "add-generic-password", "find-generic-password", "delete-generic-password", "add-internet-password",
        "find-internet-password", "delete-internet-password", "dump-keychain", "create-keychain", "unlock-keychain",
        "lock-keychain", "delete-keychain", "list-keychains", "default-keychain", "set-keychain-password",
        "show-keychain-info", "error",
    ]

    @Test(arguments: verbs)
    func `help fits 80 columns and begins with the usage line`(verb: String) throws {
        let result = try CommandSample().run("security", verb, "--help")
        #expect(result.status == 0)
        #expect(result.text.hasPrefix("Usage: coffer security \(verb) [OPTION...]"))
        #expect(result.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: verbs)
    func `-h prints the same help`(verb: String) throws {
        let sample = try CommandSample()
        #expect(sample.run("security", verb, "-h").text == sample.run("help", "security", verb).text)
    }

    // Scripts call them so; what people read does not show that.
    @Test(arguments: verbs)
    func `a verb has its former name too, which nothing offers`(verb: String) throws {
        let sample = try CommandSample()
        #expect(sample.run(verb, "--help").text == sample.run("security", verb, "--help").text)
        #expect(!sample.run("help", "--all").text.contains("\n  \(verb)"))
        let offered = sample.run("__complete", "fish", "--", "coffer", "").text
        #expect(!offered.contains("\n\(verb)\t"))
        #expect(offered.contains("\nsecurity\t"))
        #expect(sample.run("__complete", "fish", "--", "coffer", "security", "").text.contains("\n\(verb)\t"))
    }

    // Numbers from Apple's SecBase.h, hexadecimal ones from Python's `hex(n & 0xffffffff)`.
    @Test(arguments: [
        ("-25300", "0xFFFF9D2C", -25300), ("0xffff9d2c", "0xFFFF9D2C", -25300), ("4294941996", "0xFFFF9D2C", -25300),
        ("-34018", "0xFFFF7B1E", -34018), ("-0x1", "0xFFFFFFFF", -1), ("2147483647", "0x7FFFFFFF", 2_147_483_647),
        ("-2147483648", "0x80000000", -2_147_483_648), ("-67601", "0xFFFEF7EF", -67601),
    ])
    func `a status code is printed in hexadecimal and decimal`(word: String, hexadecimal: String, number: Int) throws {
        #expect(try CommandSample().run("error", word).text.hasPrefix("Error: \(hexadecimal) \(number) "))
    }

    @Test(arguments: [
        "", "0x", "--1", "-0x", "0x-1", "0x+1", "+-1", "1.5", "0xFFFFFFFFF", "9223372036854775808", "-25300x",
        "-4294967295",
    ])
    func `an invalid status code is an error`(word: String) throws {
        #expect(try CommandSample().run("error", "--", word).status == 2)
    }

    @Test func `messages do not repeat a given password`() throws {
        let sample = try CommandSample()
        for arguments in [["-w", "hunter2", "-c", "bad"], ["-w", "hunter2", "-X", "00"], ["-X", "hunter2"]] {
            let call = CommandSample.Call(words: ["add-generic-password", "-s", "mail"] + arguments)
            #expect(!sample.run(call).errors.contains("hunter2"))
        }
        let created = sample.run("create-keychain", "-p", "hunter2", sample.home.appending(path: "v.coffer").path)
        #expect(created.status == 0)
        #expect(!created.errors.contains("hunter2"))
    }

    @Test func `an item is shown with all attributes that its program set`() throws {
        let sample = try CommandSample()
        #expect(sample.run("init", "-q").status == 0)
        let vault = try sample.vault()
        let keychain = vault.keychain(for: .init(application: "com.example.app"))
        try keychain.add([
            "class": "genp", "svce": .data([0xFF, 0x00]), "acct": "kim", "invi": true, "nega": false, "scrp": 7,
            "crtr": 0x6161_706C, "alis": "other", "v_Data": .data([1]),
        ])
        let text = sample.run("find-generic-password", "-a", "kim").text
        for line in [
            #"    0x00000007 <blob>=<NULL>"#, #"    0x00000008 <blob>="other""#, #"    "agrp"<blob>="com.example.app""#,
            #"    "crtr"<uint32>="aapl""#, #"    "invi"<sint32>=0x00000001 "#, #"    "nega"<sint32>=0x00000000 "#,
            #"    "scrp"<sint32>=0x00000007 "#, #"    "svce"<blob>=0xFF00 "#,
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }

    @Test func `certificates and keys are dumped with the attribute names of macOS`() throws {
        let sample = try CommandSample()
        #expect(sample.run("init", "-q").status == 0)
        let keychain = try sample.vault().keychain(for: .init(application: "com.example.app"))
        try keychain.add([
            "class": "cert", "ctyp": 3, "cenc": 3, "issr": .data([0x30]), "slnr": .data([1, 2]), "labl": "Kim",
            "pkhh": .data([0x41]), "v_Data": .data([0x30, 0x00]),
        ])
        try keychain.add([
            "class": "keys", "kcls": 1, "type": 42, "bsiz": 256, "labl": "Kim", "klbl": .data([0x41, 0x42]), "sign": 1,
            "v_Data": .data([4]),
        ])
        let text = sample.run("dump-keychain", "-d").text
        for lines in [
            "class: 0x80001000 \nattributes:\n    \"agrp\"<blob>=\"com.example.app\"\n    \"alis\"<blob>=<NULL>\n",
            "    \"cenc\"<uint32>=0x00000003 \n    \"ctyp\"<uint32>=0x00000003 \n    \"hpky\"<blob>=\"A\"\n",
            "    \"issu\"<blob>=\"0\"\n    \"labl\"<blob>=\"Kim\"\n", "    \"snbr\"<blob>=0x0102 \n",
            "data:\n0x3000  \"0\\000\"\n", "class: 0x00000010 \nattributes:\n    0x00000000 <uint32>=0x00000010 \n",
            "    0x00000001 <blob>=\"Kim\"\n", "    0x00000006 <blob>=\"AB\"\n",
            "    0x00000009 <uint32>=0x0000002A  \"\\000\\000\\000*\"\n",
            "    0x0000000A <uint32>=0x00000100 \n", "    0x00000015 <uint32>=0x00000001 \n", "data:\n0x04 \n",
        ] {
            #expect(text.contains(lines), "\(lines)")
        }
    }
}
