import Coffer
import Foundation
import Security
import Testing

/// Requests that no program should make, each of which returns a status.
@Suite("Calls: malformed requests", .ownKeychain) struct CallRobustnessTests {
    /// Passes a value for attributes and other keys, in all four calls and in a change; any known status will do.
    private func ask(_ value: Any) {
        let names: [CFString] = [
            kSecClass, kSecAttrAccount, kSecAttrGeneric, kSecAttrType, kSecAttrSynchronizable, kSecAttrAccessible,
            kSecAttrAccessGroup, kSecAttrAccessControl, kSecAttrCreationDate, kSecAttrSyncViewHint, "sha1", "musr",
            "tomb", kSecValueData, kSecValueRef, kSecValuePersistentRef, kSecMatchLimit, kSecMatchIssuers,
            kSecMatchPolicy, kSecMatchHostOrSubdomainOfHost, kSecReturnData, kSecUseItemList, "u_Tomb",
            kSecUseAuthenticationUI, "f_callback", "nonsense", "abcd",
        ]
        for name in names {
            let statuses = Call.all(.genp([name: value])) + [Call.update(.genp(), [name: value])]
            for status in statuses { #expect(Self.known.contains(status), "\(name)") }
        }
        #expect([0, -25299].contains(Call.add(.genp())))
    }

    /// Passes a value for attributes in the primary keys of other classes, and keeps what is stored.
    private func store(_ value: Any) {
        let names = [
            ("inet", ["port", "ptcl", "atyp", "path"]), ("keys", ["kcls", "klbl", "atag", "bsiz", "sdat", "edat"]),
            ("cert", ["ctyp", "slnr", "subj"]), ("genp", ["type", "crtr", "acct", "gena"]),
        ]
        for (itemClass, names) in names {
            for name in names {
                let item: [CFString: Any] = .item(itemClass, [name as CFString: value, kSecAttrLabel: name])
                let statuses = [Call.add(item), Call.find(item), Call.update(item, [name as CFString: value])]
                for status in statuses { #expect(Self.known.contains(status), "\(name)") }
            }
        }
    }

    /// Compacts the vault, which reads and writes everything stored, and finds each item.
    private func compact() async throws {
        let vault = try CallSample.current.vault
        _ = try await vault.compaction().report()
        #expect(try await vault.verification().report().findings.isEmpty)
        for itemClass in ["genp", "inet", "cert", "keys"] {
            let query: [CFString: Any] = .item(
                itemClass,
                [kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]
            )
            #expect([0, -25300].contains(Call.find(query)))
        }
    }

    /// Every status that a call may return.
    private static let known: Set<OSStatus> = [
        0, -4, -50, -25299, -25300, -25302, -25303, -25306, -34018,
    ]

    @Test(
        arguments: [
            CallValue("Int8") { Int8(5) }, CallValue("Int8.min") { Int8.min }, CallValue("UInt8") { UInt8(1) },
            CallValue("UInt64.max") { UInt64.max }, CallValue("Int64.min") { Int64.min },
            CallValue("nan") { Double.nan }, CallValue("infinity") { Double.infinity },
            CallValue("-infinity") { -Double.infinity }, CallValue("-0") { -0.0 }, CallValue("1e300") { 1e300 },
            CallValue("Float") { Float(0.1) }, CallValue("-1") { -1 },
            CallValue("decimal") { Decimal(string: "1e50") as Any },
            CallValue("number of a decimal") { NSDecimalNumber.notANumber },
        ]
    )
    func `a number of any kind`(value: CallValue) async throws {
        ask(value.object)
        store(value.object)
        try await compact()
    }

    @Test(arguments: [.null, .date(.nan), .date(.infinity), .date(-1e300), .date(1e300)] + CallValue.others)
    func `a value of any kind`(value: CallValue) async throws {
        ask(value.object)
        store(value.object)
        try await compact()
    }

    @Test(
        arguments: [
            CallValue("nested") { ["a": ["b": ["c": [1, NSNull()]]]] }, CallValue("empty array") { [Any]() },
            CallValue("empty dictionary") { [String: Any]() }, CallValue("numbers") { [1: 2] },
            CallValue("mutable") { NSMutableDictionary() }, CallValue("mutable array") { NSMutableArray(array: [1]) },
            CallValue("mutable text") { NSMutableString(string: "x") },
            CallValue("mutable data") { NSMutableData(length: 3) as Any }, CallValue("class") { NSObject.self },
            CallValue("function") { { () -> Void in } as @Sendable () -> Void }, CallValue("tuple") { (1, "x") },
            CallValue("nothing") { Optional<Int>.none as Any }, CallValue("bytes") { [UInt8](repeating: 1, count: 9) },
            CallValue("slice") { "text".dropFirst() }, CallValue("set") { Set(["x"]) },
            CallValue("range") { 0..<5 }, CallValue("error") { NSError(domain: "x", code: 1) },
        ]
    )
    func `an object without meaning`(value: CallValue) { ask(value.object) }

    @Test(arguments: [10, 1_000]) func `a nested array`(depth: Int) {
        ask((0..<depth).reduce([Data("x")] as NSArray) { inner, _ in [inner] as NSArray })
    }

    @Test(arguments: [10, 1_000]) func `a nested dictionary`(depth: Int) {
        ask((0..<depth).reduce(["x": 1] as NSDictionary) { inner, _ in ["x": inner] as NSDictionary })
    }

    @Test func `an array of many values`() { ask([Any](repeating: Data("x"), count: 10_000)) }

    @Test(arguments: [
        "\u{0}", "a\u{0}b", "\u{FEFF}", "\u{1F600}", "e\u{301}", "\u{202E}abc", "acct\u{0}", "acc\u{301}",
    ])
    func `text of any kind, as a value and as a key`(text: String) throws {
        #expect(Call.add(.genp(text, [kSecValueData: Data("x")])) == 0)
        #expect(try Call.attributes(.genp(text))["acct"] as? String == text)
        #expect(Call.delete(.genp(text)) == 0)
        let statuses = Call.all(.genp([text as CFString: "x"])) + [Call.update(.genp(), [text as CFString: "x"])]
        for status in statuses { #expect([-50, -25303].contains(status)) }
    }

    @Test(arguments: [("x", -50), ("c", -50), ("r", -50), ("u", -50), ("v", -50), ("1", -50)] as [(String, OSStatus)])
    func `a key of 10,000 characters: errSecParam`(letter: String, status: OSStatus) {
        let key = String(repeating: letter, count: 10_000) as CFString
        #expect(Call.all(.genp([key: "x"])) == .four(status))
        #expect(Call.add(.genp()) == 0)
        #expect(Call.update(.genp(), [key: "x"]) == -25303)
    }

    @Test(arguments: ["m", "f"]) func `a key of 10,000 characters that is ignored`(letter: String) {
        let key = String(repeating: letter, count: 10_000) as CFString
        #expect(Call.add(.genp()) == 0)
        #expect(Call.find(.genp([key: "x"])) == 0)
    }

    @Test(arguments: [("acct", 1 << 16), ("labl", 1 << 20 + 1), ("gena", 1 << 20 + 1), ("icmt", 10_000_000)])
    func `an attribute above the limit, and nothing changes: errSecDataTooLarge`(
        name: String,
        count: Int
    ) {
        #expect(Call.add(.genp([name as CFString: String(repeating: "x", count: count)])) == -25302)
        #expect(Call.add(.genp([name as CFString: Data(count: count)])) == -25302)
        #expect(Call.find(.genp()) == -25300)
        #expect(Call.add(.genp("kim")) == 0)
        #expect(Call.update(.genp(), [name as CFString: Data(count: count)]) == -25302)
        #expect(Call.find(.genp("kim")) == 0)
    }

    // A name that was too long for a vault ended the program, because the code that seals names trusts its callers: a
    // program that took a group name from a setting, empty or far too long, crashed. So all calls are made here.
    @Test func `a group whose name is too long, and which holds nothing: errSecDataTooLarge`() {
        let group: [CFString: Any] = [kSecAttrAccessGroup: String(repeating: "x", count: 10_000)]
        #expect(Call.all(.genp(group)) == [-25302, -25300, -25300, -25300])
        #expect(Call.add(.genp()) == 0)
        #expect(Call.update(.genp(), group) == -25302)
        #expect(Call.find(.genp()) == 0)
    }

    @Test func `many keys: errSecParam`() {
        var many: [CFString: Any] = .genp()
        for number in 0..<10_000 { many["key \(number)" as CFString] = number }
        #expect(Call.all(many) == .four(-50))
    }

    @Test func `an empty dictionary, as a query and as a change`() {
        #expect(Call.all([:]) == .four(-50))
        #expect(Call.add(.genp()) == 0)
        #expect(Call.update(.genp(), [:]) == 0)
    }
}
