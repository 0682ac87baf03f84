import Coffer
import CofferSecurity
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, sections 3, 5 and 6, for identities.
@Suite("Changing identities", .temporaryDirectory) struct IdentityChangeTests {
    private func filled(_ groups: AccessGroups = AccessGroups(application: "com.example.app")) throws -> KeychainSample
    {
        let sample = try KeychainSample(groups)
        try sample.keychain.addPair("a")
        try sample.keychain.addPair("b")
        return sample
    }

    private let anyCertificate: ItemRequest = ["class": "cert"]
    private let anyKey: ItemRequest = ["class": "keys"]

    // MARK: - Adding

    @Test func `both halves are added in one step`() throws {
        let keychain = try KeychainSample().keychain
        #expect(try keychain.addIdentity(certificate: certificate("a"), key: privateKey("a")) == .notRequested)
        #expect(try keychain.text(identity) == "key a")
        #expect(try keychain.text(anyCertificate) == "certificate a")
    }

    @Test func `the identity's reference is returned on request`() throws {
        let keychain = try KeychainSample().keychain
        let wanted = certificate("a").with(["r_PersistentRef": true])
        guard case .data(let reference) = try keychain.addIdentity(certificate: wanted, key: privateKey("a")) else {
            Issue.record("no reference")
            return
        }
        #expect(try keychain.reference(identity) == .data(reference))
        #expect(try keychain.text(["v_PersistentRef": .data(reference)]) == "key a")
    }

    @Test(arguments: ["r_Data", "r_Attributes", "r_Ref"]) func `no other result is returned`(key: String) throws {
        let wanted = certificate("a").with([key: true])
        #expect(try KeychainSample().keychain.addIdentity(certificate: wanted, key: privateKey("a")) == .notRequested)
    }

    @Test func `an existing certificate is kept, and no reference is returned`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(certificate("a"))
        let wanted = certificate("a").with(["r_PersistentRef": true, "v_Data": data("other")])
        #expect(try keychain.addIdentity(certificate: wanted, key: privateKey("a")) == .notRequested)
        #expect(try keychain.count(identity) == 1)
        #expect(try keychain.text(anyCertificate) == "certificate a")
    }

    @Test func `an existing key is kept`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(privateKey("a"))
        let wanted = certificate("a").with(["r_PersistentRef": true])
        let answer = try keychain.addIdentity(certificate: wanted, key: privateKey("a").with(["v_Data": data("other")]))
        #expect(try .data(keychain.bytes(ofReferenceTo: identity)) == answer)
        #expect(try keychain.text(anyKey) == "key a")
    }

    @Test func `nothing is added if both halves exist`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        #expect(throws: KeychainError.duplicateItem) {
            try keychain.addIdentity(certificate: certificate("a"), key: privateKey("a"))
        }
        #expect(try keychain.count(anyCertificate) == 1 && keychain.count(anyKey) == 1)
    }

    @Test func `an error with one half keeps both halves out`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("b", with: ["pdmn": "dk"])
        keychain.lock()
        #expect(throws: KeychainError.locked) {
            try keychain.addIdentity(certificate: certificate("a"), key: privateKey("a"))
        }
        #expect(try keychain.count(anyCertificate) == 1)
        #expect(throws: KeychainError.noSuchAttribute("acct")) {
            try keychain.addIdentity(certificate: certificate("a"), key: privateKey("a").with(["acct": "x"]))
        }
        #expect(try keychain.count(anyCertificate) == 1)
    }

    @Test func `the halves must be a certificate and a key, in this order`() throws {
        let keychain = try KeychainSample().keychain
        for (one, other) in [
            (privateKey("a"), certificate("a")), (certificate("a"), certificate("b")), (password, privateKey("a")),
        ] {
            #expect(throws: KeychainError.invalid(.value(of: "class"))) {
                try keychain.addIdentity(certificate: one, key: other)
            }
        }
    }

    // MARK: - Updating

    @Test func `an update changes both halves and nothing else`() throws {
        let keychain = try filled().keychain
        try keychain.add(["class": "cert", "slnr": data("alone")])
        try keychain.add(["class": "keys", "klbl": data("alone")])
        try keychain.update(identity.with(["labl": "a"]), with: ["labl": "new"])
        #expect(try keychain.count(anyCertificate.with(["labl": "new"])) == 1)
        #expect(try keychain.count(anyKey.with(["labl": "new"])) == 1)
        try keychain.update(identity, with: ["labl": "all"])
        #expect(try keychain.count(anyCertificate.with(["labl": "all"])) == 2)
        #expect(try keychain.count(anyKey.with(["labl": "all"])) == 2)
        #expect(try keychain.text(identity) == "key a")
    }

    @Test func `a reference finds the identity to change`() throws {
        let keychain = try filled().keychain
        let reference = try keychain.reference(identity.with(["labl": "b"]))
        try keychain.update(["v_PersistentRef": reference], with: ["labl": "new"])
        #expect(try keychain.text(identity.with(["labl": "new"])) == "key b")
        #expect(try keychain.reference(identity.with(["labl": "new"])) == reference)
        #expect(try keychain.count(identity.with(["labl": "a"])) == 1)
    }

    @Test func `a half shared by two identities is changed once`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        try keychain.add(certificate("a", named: "second"))
        let before = try keychain.changeDate(anyKey)
        try keychain.update(identity, with: ["alis": "new"])
        #expect(try abs(keychain.changeDate(anyKey) - before - 0.001) < 1e-6)
        #expect(try keychain.count(anyCertificate.with(["alis": "new"])) == 2)
    }

    @Test(arguments: ["subj", "atag", "acct", "class", "v_Ref", "m_Limit"])
    func `a key that is not an attribute of both halves is rejected, and nothing changes`(key: String) throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.noSuchAttribute(key)) {
            try keychain.update(identity, with: ["labl": "new", key: data("x")])
        }
        #expect(try keychain.count(anyCertificate.with(["labl": "new"])) == 0)
    }

    @Test func `data for both halves are rejected, since they would replace the key`() throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere("v_Data"))) {
            try keychain.update(identity, with: ["v_Data": data("x")])
        }
        #expect(try keychain.text(identity) == "key a")
        #expect(try keychain.text(anyCertificate) == "certificate a")
    }

    @Test func `both halves move to another group and keep their reference`() throws {
        let keychain = try filled(AccessGroups(declared: ["T.one", "T.two"])).keychain
        let reference = try keychain.reference(identity.with(["labl": "a"]))
        try keychain.update(identity.with(["labl": "a"]), with: ["agrp": "T.two"])
        #expect(try keychain.count(anyCertificate.with(["agrp": "T.two"])) == 1)
        #expect(try keychain.count(anyKey.with(["agrp": "T.two"])) == 1)
        #expect(try keychain.text(["v_PersistentRef": reference]) == "key a")
    }

    @Test func `both halves get the new protection`() throws {
        let keychain = try filled().keychain
        try keychain.update(identity, with: ["pdmn": "ck"])
        #expect(try keychain.count(anyCertificate.with(["pdmn": "ck"])) == 2)
        #expect(try keychain.count(anyKey.with(["pdmn": "ck"])) == 2)
    }

    @Test func `if one half becomes a duplicate, neither is changed`() throws {
        let keychain = try filled().keychain
        try keychain.add(privateKey("a").with(["sync": true]))
        #expect(throws: KeychainError.duplicateItem) {
            try keychain.update(identity.with(["labl": "a"]), with: ["sync": true])
        }
        #expect(try keychain.count(anyCertificate) == 2)
    }

    @Test func `updating a missing identity is an error`() throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.itemNotFound) {
            try keychain.update(identity.with(["labl": "zoe"]), with: ["labl": "x"])
        }
    }

    @Test func `a locked identity is not changed, nor is its unlocked half`() throws {
        let sample = try filled()
        sample.keychain.lock()
        #expect(throws: KeychainError.locked) { try sample.keychain.update(identity, with: ["labl": "new"]) }
        #expect(try sample.keychain.count(anyCertificate.with(["labl": "new"])) == 0)
    }

    @Test func `limits and return keys are rejected`() throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere("m_Limit"))) {
            try keychain.update(identity.with(["m_Limit": "m_LimitAll"]), with: ["labl": "x"])
        }
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere("r_"))) {
            try keychain.update(identity.with(["r_Ref": true]), with: ["labl": "x"])
        }
    }

    // MARK: - Deleting

    @Test func `both halves are deleted, and items outside identities are kept`() throws {
        let keychain = try filled().keychain
        try keychain.add(["class": "cert", "slnr": data("alone")])
        try keychain.add(["class": "keys", "klbl": data("alone"), "kcls": 2, "v_Data": data("precious")])
        try keychain.delete(identity.with(["labl": "a"]))
        #expect(try keychain.text(identity) == "key b")
        try keychain.delete(identity)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity) }
        #expect(try keychain.count(anyCertificate) == 1)
        #expect(try keychain.text(anyKey) == "precious")
    }

    @Test func `a key is kept until its last certificate is deleted`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        try keychain.add(certificate("a", named: "second"))
        try keychain.delete(identity.with(["labl": "a"]))
        #expect(try keychain.count(anyCertificate) == 1)
        #expect(try keychain.text(identity) == "key a")
        try keychain.delete(identity)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(anyKey) }
    }

    @Test func `deleting all its certificates deletes the key`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        try keychain.add(certificate("a", named: "second"))
        try keychain.delete(identity)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(anyCertificate) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(anyKey) }
    }

    @Test func `a reference deletes its identity if the other attributes match`() throws {
        let keychain = try filled().keychain
        let reference: ItemRequest = ["v_PersistentRef": try keychain.reference(identity.with(["labl": "a"]))]
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(reference.with(["labl": "b"])) }
        try keychain.delete(reference.with(["labl": "a"]))
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(reference) }
        #expect(try keychain.text(identity) == "key b")
    }

    @Test func `a synchronizable identity is kept unless the query asks for it`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a", with: ["sync": true])
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(identity) }
        try keychain.delete(identity.with(["sync": true]))
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(anyKey.with(["sync": "syna"])) }
    }

    @Test func `deleting a missing identity is an error`() throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(identity.with(["labl": "zoe"])) }
        #expect(try keychain.count(identity) == 2)
    }

    @Test func `neither half of a locked identity is deleted`() throws {
        let sample = try filled()
        sample.keychain.lock()
        #expect(throws: KeychainError.locked) { try sample.keychain.delete(identity) }
        #expect(try sample.keychain.count(anyCertificate) == 2)
        try sample.unlock()
        #expect(try sample.keychain.count(identity) == 2)
    }

    @Test func `nothing is deleted while a locked certificate may use the key`() throws {
        let sample = try KeychainSample()
        try sample.keychain.add(certificate("a"))
        try sample.keychain.add(privateKey("a").with(["pdmn": "dk"]))
        try sample.keychain.add(certificate("a", named: "second").with(["pdmn": "ak"]))
        sample.keychain.lock()
        let first = identity.with(["issr": data("issuer of a")])
        #expect(throws: KeychainError.locked) { try sample.keychain.delete(first) }
        #expect(try sample.keychain.count(first) == 1)
    }

    @Test func `limits are rejected, and return keys are ignored`() throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere("m_Limit"))) {
            try keychain.delete(identity.with(["m_Limit": 1]))
        }
        try keychain.delete(identity.with(["r_Ref": true]))
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity) }
    }
}

extension Keychain {
    fileprivate func bytes(ofReferenceTo request: ItemRequest) throws -> [UInt8] {
        guard case .data(let bytes) = try reference(request) else { return [] }
        return bytes
    }
}
