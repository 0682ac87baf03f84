import Coffer
import Foundation
import Security
import TestSupport
import Testing

/// Damaged items, and where Coffer differs from Apple: they are never treated as missing, and never deleted unasked
/// (`Spec/keychain-behavior.md`, sections 3 to 5).
@Suite("Calls: damaged items", .ownKeychain) struct CallDamageTests {
    /// The damaged part of kim's item.
    enum Part: String, CaseIterable, Sendable {
        case attributes
        case data
    }

    /// Incompressible bytes, as text.
    private func noise(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return String(decoding: (0..<count).map { _ in UInt8.random(in: 33...126, using: &generator) }, as: UTF8.self)
    }

    /// Makes calls on a vault in which kim's item is damaged, and lee's newer item is not.
    ///
    /// The part to damage fills most of the file, so that the byte in the middle belongs to it. Different protection
    /// classes keep the attributes of the items apart.
    private func withDamage(_ part: Part, _ operation: () throws -> Void) async throws {
        let sample = try CallSample.current
        let large = part == .data ? 200_000 : 60_000
        let kim: [CFString: Any] = .genp(
            "kim",
            [
                kSecAttrAccessible: "ck", kSecAttrLabel: "L", kSecAttrComment: part == .data ? "" : noise(large),
                kSecValueData: Data(part == .data ? noise(large) : "of kim"),
            ]
        )
        #expect(Call.add(kim) == 0)
        #expect(
            Call.add(.genp("lee", [kSecAttrAccessible: "ak", kSecAttrLabel: "L", kSecValueData: Data("of lee")])) == 0
        )
        _ = try await sample.vault.compaction().report()
        let keychain = try damaged(sample, largerPart: large)
        try Keychain.withDefault(keychain, operation: operation)
    }

    /// A keychain over a copy of the vault with the byte in the middle changed.
    private func damaged(_ sample: CallSample, largerPart: Int) throws -> Keychain {
        var bytes = try Data(contentsOf: URL(filePath: sample.vault.path))
        try #require(bytes.count < 2 * largerPart)
        bytes[bytes.count / 2] ^= 1
        let copy = try TemporaryDirectory.current.appending(path: "damaged.coffer").path
        try bytes.write(to: URL(filePath: copy))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        let vault = try Vault.open(at: copy, with: .withoutVariables, options: sample.options)
        return vault.keychain(for: AccessGroups(application: "com.example.app"))
    }

    /// The return key for the damaged part.
    private func wanting(_ part: Part) -> [CFString: Any] {
        part == .data ? [kSecReturnData: true] : [kSecReturnAttributes: true]
    }

    @Test(arguments: Part.allCases) func `a damaged item is left out of a list of results`(
        part: Part
    ) async throws {
        try await withDamage(part) { () throws in
            let wanted: [CFString: Any] = [kSecReturnAttributes: true, kSecReturnData: true]
            let query: [CFString: Any] = .genp(wanted.with([kSecMatchLimit: kSecMatchLimitAll]))
            let found = try #require(try Call.found(query) as? [[String: Any]])
            #expect(found.map { $0["acct"] as? String } == ["lee"])
            #expect(try Call.attributes(.genp(wanted))["acct"] as? String == "lee")
        }
    }

    @Test(arguments: Part.allCases)
    func `a damaged item without any other match: errSecDecode`(part: Part) async throws {
        try await withDamage(part) { () throws in
            var result: CFTypeRef? = "old" as NSString
            let query = [CFString: Any].genp("kim", wanting(part))
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == -26275)
            #expect(result as? String == "old")
            #expect(Call.find(query.with([kSecMatchLimit: kSecMatchLimitAll])) == -26275)
        }
    }

    @Test func `a query that damaged attributes might match: errSecDecode`() async throws {
        try await withDamage(.attributes) { () throws in
            #expect(Call.find(.genp([kSecAttrLabel: "nobody's"])) == -26275)
            #expect(Call.find(.genp("zoe")) == -25300)
            #expect(Call.find(.inet()) == -25300)
        }
    }

    @Test func `intact attributes are returned although the data is damaged`() async throws {
        try await withDamage(.data) { () throws in
            #expect(try Call.attributes(.genp("kim"))["labl"] as? String == "L")
        }
    }

    @Test func `intact data is returned although the attributes are damaged`() async throws {
        try await withDamage(.attributes) { () throws in
            #expect(try Call.text(.genp("kim", [kSecAttrService: ""])) == "of kim")
        }
    }

    @Test(arguments: Part.allCases)
    func `an addition does not replace a damaged item: errSecDuplicateItem`(part: Part) async throws {
        try await withDamage(part) { () throws in
            #expect(Call.add(.genp("kim", [kSecAttrAccessible: "ck"])) == -25299)
            #expect(Call.add(.genp("kim")) == -25299)
            #expect(Call.add(.genp("zoe", [kSecAttrAccessible: "ck"])) == 0)
        }
    }

    @Test(arguments: Part.allCases) func `an update of only a damaged item: errSecDecode; with others, those change`(
        part: Part
    ) async throws {
        try await withDamage(part) { () throws in
            #expect(Call.update(.genp("kim"), [kSecAttrLabel: "M"]) == -26275)
            #expect(Call.update(.genp(), [kSecAttrLabel: "M"]) == 0)
            #expect(try Call.attributes(.genp("lee"))["labl"] as? String == "M")
        }
    }

    @Test func `new data repairs an item whose data alone is damaged`() async throws {
        try await withDamage(.data) { () throws in
            #expect(Call.update(.genp("kim"), [kSecValueData: Data("new")]) == 0)
            #expect(try Call.text(.genp("kim")) == "new")
        }
    }

    @Test(arguments: Part.allCases)
    func `a damaged item is deleted if its digests show that it matches`(part: Part) async throws {
        try await withDamage(part) { () throws in
            #expect(Call.delete(.genp("kim", [kSecAttrService: ""])) == 0)
            #expect(Call.find(.genp("kim", wanting(part))) == -25300)
            #expect(try Call.text(.genp("lee")) == "of lee")
        }
    }

    @Test func `a damaged item is not deleted if it is unknown whether it matches: errSecDecode`() async throws {
        try await withDamage(.attributes) { () throws in
            #expect(Call.delete(.genp("kim", [kSecAttrLabel: "L"])) == -26275)
            #expect(Call.find(.genp("kim", [kSecAttrService: ""])) == 0)
        }
    }
}
