import Foundation
import Security
import Testing

/// The results of an addition (`Spec/keychain-behavior.md`, sections 3 and 10).
@Suite("Calls: results of adding", .ownKeychain) struct CallAddResultTests {
    private static let returns = [
        "D": kSecReturnData, "A": kSecReturnAttributes, "P": kSecReturnPersistentRef, "R": kSecReturnRef,
    ].mapValues(String.init)

    private func returning(_ letters: String) -> [CFString: Any] {
        letters.reduce(into: [:]) { query, letter in
            if let key = Self.returns[String(letter)] { query[key as CFString] = true }
        }
    }

    @Test func `without return keys the result is nil`() throws {
        var result: CFTypeRef? = "old" as NSString
        #expect(SecItemAdd([CFString: Any].genp() as CFDictionary, &result) == 0)
        #expect(result == nil)
    }

    @Test func `the result pointer can be nil`() {
        #expect(Call.add(.genp(returning("DAPR"))) == 0)
    }

    @Test(arguments: [-50, -25299, -25303, -25306, -25302] as [OSStatus])
    func `a failed addition leaves the result variable unchanged`(status: OSStatus) {
        let wrong: [OSStatus: [CFString: Any]] = [
            -50: [kSecValueData: "x"], -25299: [:], -25303: ["abcd": 1], -25306: [kSecClass: "apls"],
            -25302: [kSecAttrAccount: "new", kSecValueData: Data(count: 1 << 20 + 1)],
        ]
        #expect(Call.add(.genp()) == 0)
        var result: CFTypeRef? = "old" as NSString
        let item = [CFString: Any].genp(returning("DAP")).with(wrong[status] ?? [:])
        #expect(SecItemAdd(item as CFDictionary, &result) == status)
        #expect(result as? String == "old")
    }

    @Test func `data comes back as data, and as empty data if none exists`() throws {
        let item: [CFString: Any] = .genp("kim", returning("D"))
        #expect(try Call.added(item.with([kSecValueData: Data("x")])) as? Data == Data("x"))
        #expect(try Call.added(.genp("lee", returning("D"))) as? Data == Data())
    }

    @Test func `a persistent reference is 20 bytes that find the item`() throws {
        let item: [CFString: Any] = .genp([kSecValueData: Data("x")])
        let reference = try #require(try Call.added(item.with(returning("P"))) as? Data)
        #expect(reference.count == 20)
        #expect(try Call.text([kSecValuePersistentRef: reference]) == "x")
    }

    @Test(arguments: ["genp", "inet"]) func `a password has no reference: nil, with success`(itemClass: String) throws {
        #expect(try Call.added(.item(itemClass, returning("R"))) == nil)
    }

    @Test func `attributes come back with defaults, and without those that only a query returns`() throws {
        let item: [CFString: Any] = .genp([kSecAttrLabel: "Mail", kSecValueData: Data("x")])
        let found = try #require(try Call.added(item.with(returning("A"))) as? [String: Any])
        #expect(Set(found.keys) == ["labl", "acct", "svce", "agrp", "pdmn", "cdat", "mdat", "sync", "sha1"])
        #expect(found["labl"] as? String == "Mail")
        #expect(found["acct"] as? String == "")
        #expect(found["agrp"] as? String == "com.example.app")
        #expect(found["pdmn"] as? String == "ak")
        #expect(found["sync"] as? Int == 0)
    }

    @Test func `attributes come back with the access control, if one was given`() throws {
        let control = try CallCheckTests.control(.userPresence)
        let item: [CFString: Any] = .genp([kSecAttrAccessControl: control])
        let found = try #require(try Call.added(item.with(returning("A"))) as? [String: Any])
        #expect(found["accc"] as? SecAccessControl == control)
    }

    static let extras: [(letters: String, extras: Set<String>)] = [
        ("DA", ["v_Data"]), ("DP", ["v_Data", "v_PersistentRef"]), ("AP", ["v_PersistentRef"]),
        ("DAP", ["v_Data", "v_PersistentRef"]), ("AR", ["class"]), ("DR", ["v_Data", "class"]),
        ("PR", ["v_PersistentRef", "class"]), ("DAPR", ["v_Data", "v_PersistentRef", "class"]),
    ]

    @Test(arguments: extras)
    func `several return keys give one dictionary`(letters: String, extras: Set<String>) throws {
        let item: [CFString: Any] = .genp([kSecValueData: Data("x")])
        let found = try #require(try Call.added(item.with(returning(letters))) as? [String: Any])
        let all: Set = ["v_Data", "v_PersistentRef", "v_Ref", "class"]
        #expect(all.intersection(found.keys) == extras)
        if extras.contains("v_Data") { #expect(found["v_Data"] as? Data == Data("x")) }
        if extras.contains("class") { #expect(found["class"] as? String == "genp") }
        if let reference = found["v_PersistentRef"] {
            #expect(try Call.text([kSecValuePersistentRef: reference]) == "x")
        }
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"]) func `the class comes back only if a reference is asked for`(
        itemClass: String
    ) throws {
        for wanted in [false, true] {
            let item: [CFString: Any] = .item(itemClass, [kSecAttrLabel: "L", kSecReturnRef: wanted])
            let query = item.with(returning("A"))
            for result in [try Call.added(query), try Call.found(query)] {
                let found = try #require(result as? [String: Any])
                #expect(found["class"] as? String == (wanted ? itemClass : nil))
                #expect(found["labl"] as? String == "L")
            }
            #expect(Call.delete(item) == 0)
        }
    }

    @Test func `return keys that are false have no effect`() throws {
        var result: CFTypeRef?
        let item = [CFString: Any].genp(returning("DAPR").mapValues { _ in false })
        #expect(SecItemAdd(item as CFDictionary, &result) == 0)
        #expect(result == nil)
    }
}
