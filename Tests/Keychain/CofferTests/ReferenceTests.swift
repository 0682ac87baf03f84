import Coffer
import CofferSecurity
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, section 4: what persistent references find.
@Suite("Persistent references", .temporaryDirectory) struct ReferenceTests {
    private static let declared = AccessGroups(declared: ["T.one"])

    @Test func `a reference to an item in another group finds nothing`() throws {
        let sample = try KeychainSample(Self.declared)
        let other = sample.keychain(AccessGroups(declared: ["T.two"]))
        try other.add(password)
        let reference: ItemRequest = ["v_PersistentRef": try other.reference(password)]
        #expect(throws: KeychainError.itemNotFound) { try sample.keychain.find(reference) }
        #expect(throws: KeychainError.itemNotFound) { try sample.keychain.update(reference, with: ["labl": "x"]) }
        #expect(throws: KeychainError.itemNotFound) { try sample.keychain.delete(reference) }
        #expect(try other.count(password) == 1)
    }

    @Test(arguments: ["inet", "cert", "keys", "idnt"])
    func `a reference with another class finds nothing`(itemClass: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        guard case .data(let bytes) = try keychain.reference(password) else {
            Issue.record("no reference")
            return
        }
        let reference: ItemRequest = ["v_PersistentRef": .data(itemClass.utf8 + Array(bytes.dropFirst(4)))]
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(reference) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.update(reference, with: [:]) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(reference) }
        #expect(try keychain.count(password) == 1)
    }

    @Test(
        arguments: [
            "acct": "kim", "labl": "L", "musr": .data([]), "UUID": "x", "vwht": "", "tomb": 0, "type": 7,
            "cdat": .date(secondsSinceReferenceDate: 0), "sha1": .data([UInt8](repeating: 0, count: 20)),
        ] as [String: ItemValue]
    )
    func `a query with a reference allows no attribute`(name: String, value: ItemValue) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        let reference = try keychain.reference(password)
        #expect(throws: KeychainError.invalid(.referenceWithAttributes)) {
            try keychain.find(["v_PersistentRef": reference, name: value])
        }
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"])
    func `a reference and a query return the same attributes`(itemClass: String) throws {
        let keychain = try KeychainSample().keychain
        let item: ItemRequest = ["class": .string(itemClass)]
        try keychain.add(item.with(["labl": "L", "v_Data": data("x")]))
        let reference = try keychain.reference(item)
        #expect(try keychain.attributes(["v_PersistentRef": reference]) == keychain.attributes(item))
    }

    @Test func `no two items have the same reference`() throws {
        let keychain = try KeychainSample().keychain
        for number in Int64(0)..<20 { try keychain.add(password.with(["acct": .integer(number)])) }
        let found = try keychain.all(password.with(["r_PersistentRef": true]))
        let references = found.compactMap { if case .data(let bytes) = $0 { bytes } else { nil } }
        #expect(Set(references).count == 20)
    }

    @Test func `a reference finds its item in another process`() throws {
        let sample = try KeychainSample()
        try sample.keychain.add(password.with(["v_Data": data("x")]))
        let reference = try sample.keychain.reference(password)
        #expect(try sample.reopened().text(["v_PersistentRef": reference]) == "x")
        try sample.keychain.compact()
        #expect(try sample.reopened().text(["v_PersistentRef": reference]) == "x")
    }

    @Test func `items that differ in synchronizability have their own references`() throws {
        let keychain = try KeychainSample().keychain
        for flag in [false, true] {
            try keychain.add(password.with(["sync": .bool(flag), "v_Data": data("\(flag)")]))
        }
        let (one, other) = (
            try keychain.reference(password.with(["sync": false])),
            try keychain.reference(password.with(["sync": true]))
        )
        #expect(one != other)
        #expect(try keychain.text(["v_PersistentRef": one]) == "false")
        #expect(try keychain.text(["v_PersistentRef": other]) == "true")
    }

    @Test(arguments: [false, true])
    func `a change through a reference leaves the similar item alone`(flag: Bool) throws {
        let keychain = try KeychainSample().keychain
        for flag in [false, true] { try keychain.add(password.with(["sync": .bool(flag)])) }
        let reference: ItemRequest = ["v_PersistentRef": try keychain.reference(password.with(["sync": .bool(flag)]))]
        try keychain.update(reference, with: ["labl": "L"])
        #expect(try keychain.count(password.with(["sync": "syna", "labl": "L"])) == 1)
        try keychain.delete(reference)
        #expect(try keychain.count(password.with(["sync": "syna", "labl": "L"])) == 0)
        #expect(try keychain.count(password.with(["sync": .bool(!flag)])) == 1)
    }

    // MARK: - Locked items

    /// A locked keychain with kim's password, and a reference to it.
    private func locked() throws -> (keychain: Keychain, reference: ItemRequest) {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["acct": "kim", "labl": "L"]))
        let reference: ItemRequest = ["v_PersistentRef": try keychain.reference(password)]
        keychain.lock()
        return (keychain, reference)
    }

    @Test func `a locked item can be deleted by its reference`() throws {
        let (keychain, reference) = try locked()
        try keychain.delete(reference)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password) }
    }

    // While the item was locked, a deletion once checked the reference alone, and deleted an item that the other
    // attributes exclude.
    @Test func `a locked item is kept if a visible attribute does not match`() throws {
        let (keychain, reference) = try locked()
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(reference.with(["acct": "lee"])) }
        #expect(throws: KeychainError.locked) { try keychain.find(password) }
        try keychain.delete(reference.with(["acct": "kim"]))
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password) }
    }

    @Test(arguments: [["labl": "other"], ["acct": "kim", "labl": "other"]] as [ItemRequest])
    func `an item is kept if an attribute beside the reference does not match`(condition: ItemRequest) throws {
        let keychain = try KeychainSample().keychain
        let item = password.with(["acct": "kim"])
        try keychain.add(item.with(["labl": "its own"]))
        let reference = password.with(["v_PersistentRef": try keychain.reference(item)])
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(reference.with(condition)) }
        #expect(try keychain.count(item) == 1)
    }

    @Test func `a locked item is kept if a locked attribute would have to match`() throws {
        let (keychain, reference) = try locked()
        #expect(throws: KeychainError.locked) { try keychain.delete(reference.with(["labl": "L"])) }
        #expect(throws: KeychainError.locked) { try keychain.find(password) }
    }
}
