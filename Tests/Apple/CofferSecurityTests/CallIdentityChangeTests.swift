import Foundation
import Security
import Testing

/// Updates and deletions of identities (`Spec/keychain-behavior.md`, section 6).
@Suite("Calls: changing identities", .ownKeychain) struct CallIdentityChangeTests {
    private func fill() { for hash in ["a", "b"] { Call.addPair(hash) } }

    /// A certificate and a key that belong to no identity.
    private func addOthers() {
        #expect(Call.add(.cert([kSecAttrSerialNumber: Data("alone")])) == 0)
        let key: [CFString: Any] = [kSecAttrApplicationLabel: Data("alone"), kSecAttrKeyClass: 2]
        #expect(Call.add(.keys(key.with([kSecValueData: Data("precious")]))) == 0)
    }

    /// The numbers of certificates and keys that match.
    private func counts(_ conditions: [CFString: Any] = [:]) throws -> [Int] {
        [try Call.count(.cert(conditions)), try Call.count(.keys(conditions))]
    }

    // MARK: - Updating

    @Test func `an update changes both halves and nothing else`() throws {
        fill()
        addOthers()
        #expect(Call.update(.idnt([kSecAttrLabel: "a"]), [kSecAttrLabel: "new"]) == 0)
        #expect(try counts([kSecAttrLabel: "new"]) == [1, 1])
        #expect(Call.update(.idnt(), [kSecAttrLabel: "all"]) == 0)
        #expect(try counts([kSecAttrLabel: "all"]) == [2, 2])
        #expect(try Call.text(.idnt()) == "key a")
    }

    @Test func `a reference means one identity, and stays the same`() throws {
        fill()
        let reference = try Call.reference(.idnt([kSecAttrLabel: "b"]))
        #expect(Call.update([kSecValuePersistentRef: reference], [kSecAttrLabel: "new"]) == 0)
        #expect(try Call.text(.idnt([kSecAttrLabel: "new"])) == "key b")
        #expect(try Call.reference(.idnt([kSecAttrLabel: "new"])) == reference)
        #expect(Call.find(.idnt([kSecAttrLabel: "a"])) == 0)
    }

    @Test func `a half that two identities share is changed once`() throws {
        try CallSample.withTime { (_) throws in
            Call.addPair("a")
            #expect(Call.add(.certificate("a", named: "second")) == 0)
            let before = try #require(try Call.attributes(.keys())["mdat"] as? Date)
            #expect(Call.update(.idnt(), ["alis": "new"]) == 0)
            let after = try #require(try Call.attributes(.keys())["mdat"] as? Date)
            #expect(abs(after.timeIntervalSince(before) - 0.001) < 1e-6)
            #expect(try counts(["alis": "new"]) == [2, 1])
        }
    }

    @Test(arguments: ["subj", "atag", "acct", "class", "v_Ref", "m_Limit"])
    func `a key that is not an attribute of both halves: errSecNoSuchAttr, and nothing changes`(key: String) throws {
        fill()
        #expect(Call.update(.idnt(), [kSecAttrLabel: "new", key as CFString: Data("x")]) == -25303)
        #expect(try counts([kSecAttrLabel: "new"]) == [0, 0])
    }

    @Test func `data in the changes, which both halves would get: errSecParam`() throws {
        fill()
        #expect(Call.update(.idnt(), [kSecValueData: Data("x")]) == -50)
        #expect(try Call.text(.idnt()) == "key a")
        #expect(try Call.text(.cert()) == "certificate a")
    }

    @Test func `both halves move to another group and keep their reference`() throws {
        try CallSample.asProgram("T.one", "T.two") { () throws in
            fill()
            let reference = try Call.reference(.idnt([kSecAttrLabel: "a"]))
            #expect(Call.update(.idnt([kSecAttrLabel: "a"]), [kSecAttrAccessGroup: "T.two"]) == 0)
            #expect(try counts([kSecAttrAccessGroup: "T.two"]) == [1, 1])
            #expect(try Call.text([kSecValuePersistentRef: reference]) == "key a")
        }
    }

    @Test func `both halves get a new protection class`() throws {
        fill()
        #expect(Call.update(.idnt(), [kSecAttrAccessible: "ck"]) == 0)
        #expect(try counts([kSecAttrAccessible: "ck"]) == [2, 2])
    }

    @Test func `neither half is changed if one becomes a duplicate: errSecDuplicateItem`() throws {
        fill()
        #expect(Call.add(.privateKey("a").with([kSecAttrSynchronizable: true])) == 0)
        #expect(Call.update(.idnt([kSecAttrLabel: "a"]), [kSecAttrSynchronizable: true]) == -25299)
        #expect(try Call.count(.cert()) == 2)
    }

    @Test func `a missing identity: errSecItemNotFound`() throws {
        fill()
        #expect(Call.update(.idnt([kSecAttrLabel: "zoe"]), [kSecAttrLabel: "x"]) == -25300)
        #expect(Call.delete(.idnt([kSecAttrLabel: "zoe"])) == -25300)
        #expect(try counts() == [2, 2])
    }

    @Test func `limits, and return keys in updates: errSecParam`() {
        fill()
        #expect(Call.update(.idnt([kSecMatchLimit: kSecMatchLimitAll]), [kSecAttrLabel: "x"]) == -50)
        #expect(Call.update(.idnt([kSecReturnRef: true]), [kSecAttrLabel: "x"]) == -50)
        #expect(Call.delete(.idnt([kSecMatchLimit: 1])) == -50)
        #expect(Call.delete(.idnt([kSecReturnRef: true])) == 0)
        #expect(Call.find(.idnt()) == -25300)
    }

    // MARK: - Deleting

    @Test func `both halves are deleted, and items outside identities stay`() throws {
        fill()
        addOthers()
        #expect(Call.delete(.idnt([kSecAttrLabel: "a"])) == 0)
        #expect(try Call.text(.idnt()) == "key b")
        #expect(Call.delete(.idnt()) == 0)
        #expect(Call.find(.idnt()) == -25300)
        #expect(try counts() == [1, 1])
        #expect(try Call.text(.keys()) == "precious")
    }

    @Test func `deleting all certificates of a key deletes the key`() throws {
        Call.addPair("a")
        #expect(Call.add(.certificate("a", named: "second")) == 0)
        #expect(Call.delete(.idnt()) == 0)
        #expect(try counts() == [0, 0])
    }

    @Test func `a reference deletes its identity only if the other attributes match`() throws {
        fill()
        let query: [CFString: Any] = [kSecValuePersistentRef: try Call.reference(.idnt([kSecAttrLabel: "a"]))]
        #expect(Call.delete(query.with([kSecAttrLabel: "b"])) == -25300)
        #expect(Call.delete(query.with([kSecAttrLabel: "a"])) == 0)
        #expect(Call.delete(query) == -25300)
        #expect(try Call.text(.idnt()) == "key b")
    }

    @Test func `a synchronizable identity is deleted only on request`() throws {
        Call.addPair("a", [kSecAttrSynchronizable: true], [kSecAttrSynchronizable: true])
        #expect(Call.delete(.idnt()) == -25300)
        #expect(Call.delete(.idnt([kSecAttrSynchronizable: true])) == 0)
        #expect(try counts([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == [0, 0])
    }

    // MARK: - Locked halves

    @Test func `neither half of a locked identity is changed or deleted: errSecInteractionNotAllowed`() throws {
        fill()
        try CallSample.lock()
        #expect(Call.update(.idnt(), [kSecAttrLabel: "new"]) == -25308)
        #expect(try Call.count(.cert([kSecAttrLabel: "new"])) == 0)
        #expect(Call.delete(.idnt()) == -25308)
        try CallSample.unlock()
        #expect(try counts() == [2, 2])
        #expect(try Call.count(.idnt()) == 2)
    }

    @Test func `nothing is deleted while a locked certificate may use the key`() throws {
        Call.addPair("a", [:], [kSecAttrAccessible: "dk"])
        #expect(Call.add(.certificate("a", named: "second").with([kSecAttrAccessible: "ak"])) == 0)
        try CallSample.lock()
        let first: [CFString: Any] = .idnt([kSecAttrIssuer: Data("issuer of a")])
        #expect(Call.delete(first) == -25308)
        #expect(try Call.count(first) == 1)
    }
}
