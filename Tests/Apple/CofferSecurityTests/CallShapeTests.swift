import Foundation
import Security
import Testing

/// The shapes of results for every combination of return keys (`Spec/keychain-behavior.md`, section 10).
@Suite("Calls: shapes of results", .ownKeychain) struct CallShapeTests {
    /// The class of the two items in a test, of which the first has data.
    enum Subject: String, CaseIterable, Sendable {
        case password = "genp"
        case certificate = "cert"

        static let bytes = Data(sampleCertificate)
    }

    /// The results for one item; `D`, `A`, `P` and `R` stand for data, attributes, persistent reference and reference.
    ///
    /// The only attribute shown is `labl`. A certificate also has its reference, under `v_Ref` in a dictionary.
    static let one: [(wanted: String, password: String, certificate: String)] = [
        ("", "not written", "not written"),
        ("D", "Data", "Data"),
        ("A", "{labl}", "{labl}"),
        ("P", "Data(20)", "Data(20)"),
        ("R", "nil", "Certificate"),
        ("DA", "{labl v_Data}", "{labl v_Data}"),
        ("DP", "{labl v_Data v_PersistentRef}", "{labl v_Data v_PersistentRef}"),
        ("AP", "{labl v_PersistentRef}", "{labl v_PersistentRef}"),
        ("DAP", "{labl v_Data v_PersistentRef}", "{labl v_Data v_PersistentRef}"),
        ("DR", "{class labl v_Data}", "{class labl v_Data v_Ref}"),
        ("AR", "{class labl}", "{class labl v_Ref}"),
        ("PR", "{class labl v_PersistentRef}", "{class labl v_PersistentRef v_Ref}"),
        ("DAR", "{class labl v_Data}", "{class labl v_Data v_Ref}"),
        ("DPR", "{class labl v_Data v_PersistentRef}", "{class labl v_Data v_PersistentRef v_Ref}"),
        ("APR", "{class labl v_PersistentRef}", "{class labl v_PersistentRef v_Ref}"),
        ("DAPR", "{class labl v_Data v_PersistentRef}", "{class labl v_Data v_PersistentRef v_Ref}"),
    ]

    /// The results for one item without data.
    static let withoutData: [(wanted: String, shape: String)] = [
        ("D", "nil"), ("DA", "{labl}"), ("DP", "{labl v_PersistentRef}"), ("DAP", "{labl v_PersistentRef}"),
        ("DR", "{class labl}"), ("R", "nil"), ("DAPR", "{class labl v_PersistentRef}"),
    ]

    /// The results for two passwords, of which the second has no data.
    static let all: [(wanted: String, shape: String)] = [
        ("", "[]"),
        ("D", "[Data]"),
        ("A", "[{labl}, {labl}]"),
        ("P", "[Data(20), Data(20)]"),
        ("R", "[]"),
        ("DA", "[{labl v_Data}, {labl}]"),
        ("DP", "[{labl v_Data v_PersistentRef}, {labl v_PersistentRef}]"),
        ("AP", "[{labl v_PersistentRef}, {labl v_PersistentRef}]"),
        ("DAP", "[{labl v_Data v_PersistentRef}, {labl v_PersistentRef}]"),
        ("DR", "[{class labl v_Data}, {class labl}]"),
        ("AR", "[{class labl}, {class labl}]"),
        ("PR", "[{class labl v_PersistentRef}, {class labl v_PersistentRef}]"),
        ("DAR", "[{class labl v_Data}, {class labl}]"),
        ("DPR", "[{class labl v_Data v_PersistentRef}, {class labl v_PersistentRef}]"),
        ("APR", "[{class labl v_PersistentRef}, {class labl v_PersistentRef}]"),
        ("DAPR", "[{class labl v_Data v_PersistentRef}, {class labl v_PersistentRef}]"),
    ]

    /// The results for two certificates, of which the second has no data and so no reference.
    static let allCertificates: [(wanted: String, shape: String)] = [
        ("R", "[Certificate]"),
        ("AR", "[{class labl v_Ref}, {class labl}]"),
        ("DR", "[{class labl v_Data v_Ref}, {class labl}]"),
        ("PR", "[{class labl v_PersistentRef v_Ref}, {class labl v_PersistentRef}]"),
    ]

    @Test(arguments: one) func `one item`(wanted: String, password: String, certificate: String) throws {
        try fill(.password)
        try fill(.certificate)
        #expect(try shape(of: query(.password, wanted, [kSecAttrLabel: "full"])) == password)
        #expect(try shape(of: query(.certificate, wanted, [kSecAttrLabel: "full"])) == certificate)
    }

    @Test(arguments: withoutData) func `one item without data`(wanted: String, expected: String) throws {
        try fill(.password)
        try fill(.certificate)
        #expect(try shape(of: query(.password, wanted, [kSecAttrLabel: "bare"])) == expected)
        #expect(try shape(of: query(.certificate, wanted, [kSecAttrLabel: "bare"])) == expected)
    }

    @Test(arguments: all) func `all items`(wanted: String, expected: String) throws {
        try fill(.password)
        #expect(try shape(of: query(.password, wanted, [kSecMatchLimit: kSecMatchLimitAll])) == expected)
    }

    @Test(arguments: all)
    func `a limit above 1 gives the same shapes as all items`(wanted: String, expected: String) throws {
        try fill(.password)
        #expect(try shape(of: query(.password, wanted, [kSecMatchLimit: 2])) == expected)
    }

    @Test(arguments: allCertificates) func `all certificates`(wanted: String, expected: String) throws {
        try fill(.certificate)
        #expect(try shape(of: query(.certificate, wanted, [kSecMatchLimit: kSecMatchLimitAll])) == expected)
    }

    @Test(arguments: one.map(\.wanted)) func `return keys that are false have no effect`(letters: String) throws {
        try fill(.password)
        let refused = returning(letters).mapValues { _ in false as Any }
        #expect(try shape(of: .genp(refused)) == "not written")
    }

    @Test(arguments: one.map(\.wanted)) func `a query without a result pointer reports whether a match exists`(
        letters: String
    ) throws {
        #expect(Call.find(.genp(returning(letters))) == -25300)
        try fill(.password)
        #expect(Call.find(.genp(returning(letters))) == 0)
        #expect(Call.find(.genp(returning(letters).with([kSecMatchLimit: kSecMatchLimitAll]))) == 0)
    }

    @Test func `attributes include those set, those with defaults and those that the keychain adds`() throws {
        #expect(Call.add(.genp([kSecAttrLabel: "L", kSecValueData: Data("x")])) == 0)
        let names = try Call.attributes(.genp()).keys
        let expected: Set = [
            "labl", "acct", "svce", "accc", "agrp", "cdat", "mdat", "pdmn", "sha1", "sync", "tomb", "musr",
        ]
        #expect(Set(names) == expected)
    }

    @Test func `the attributes of an item, with its class, form a query that finds only that item`() throws {
        try fill(.password)
        for label in ["full", "bare"] {
            let found = try Call.attributes(.genp([kSecAttrLabel: label]))
            let query = found.reduce(into: [CFString: Any].genp()) { $0[$1.key as CFString] = $1.value }
            #expect(try Call.texts(kSecAttrLabel, query) == [label])
        }
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"])
    func `a query and a persistent reference return the same attributes`(itemClass: String) throws {
        #expect(Call.add(.item(itemClass, [kSecAttrLabel: "L", kSecValueData: Data("x")])) == 0)
        let byReference = try Call.attributes([kSecValuePersistentRef: try Call.reference(.item(itemClass))])
        #expect(try Call.attributes(.item(itemClass)) as NSDictionary == byReference as NSDictionary)
    }

    @Test(arguments: [("D", -25300), ("A", -50), ("DAPR", -25303)] as [(String, OSStatus)])
    func `a failed query leaves the result variable unchanged`(letters: String, status: OSStatus) throws {
        let wrong: [OSStatus: [CFString: Any]] = [
            -25300: [:], -50: [kSecMatchLimit: "5"], -25303: [kSecAttrServer: "x"],
        ]
        var result: CFTypeRef? = "old" as NSString
        let query = [CFString: Any].genp(returning(letters)).with(wrong[status] ?? [:])
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == status)
        #expect(result as? String == "old")
    }

    // MARK: -

    private func fill(_ subject: Subject) throws {
        let item: [CFString: Any] = .item(subject.rawValue)
        let name = subject == .password ? kSecAttrAccount : kSecAttrSerialNumber
        #expect(Call.add(item.with([name: "1", kSecAttrLabel: "full", kSecValueData: Subject.bytes])) == 0)
        #expect(Call.add(item.with([name: "2", kSecAttrLabel: "bare"])) == 0)
    }

    private func query(_ subject: Subject, _ wanted: String, _ more: [CFString: Any]) -> [CFString: Any] {
        .item(subject.rawValue, returning(wanted)).with(more)
    }

    private func returning(_ letters: String) -> [CFString: Any] {
        let keys = ["D": kSecReturnData, "A": kSecReturnAttributes, "P": kSecReturnPersistentRef, "R": kSecReturnRef]
        return letters.reduce(into: [:]) { query, letter in
            if let key = keys[String(letter)] { query[key] = true }
        }
    }

    /// The shape of the result of a query, which must succeed.
    private func shape(of query: [CFString: Any]) throws -> String {
        let old = NSObject()
        var result: CFTypeRef? = old
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == 0)
        if result === old { return "not written" }
        guard let result else { return "nil" }
        guard let list = result as? [Any] else { return shape(of: result) }
        return "[\(list.map { shape(of: $0) }.joined(separator: ", "))]"
    }

    private func shape(of object: Any) -> String {
        switch object {
        case let data as Data: data.count == 20 ? "Data(20)" : "Data"
        case is SecCertificate: "Certificate"
        case let dictionary as [String: Any]:
            "{\(dictionary.keys.filter { $0 == "labl" || $0.utf8.count > 4 }.sorted().joined(separator: " "))}"
        default: "\(type(of: object))"
        }
    }
}
