import Coffer
import CofferSecurity
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// `Spec/keychain-behavior.md`, sections 3 to 5: locked items are never reported as missing.
@Suite("Locking", .temporaryDirectory) struct LockingTests {
    /// A locked keychain with an item for each protection that needs no passphrase, named after it.
    private func locked() throws -> KeychainSample {
        let sample = try KeychainSample()
        for name in ["ak", "ck", "dk", "aku", "cku", "dku"] { try sample.keychain.add(item(name)) }
        sample.keychain.lock()
        return sample
    }

    private func item(_ protection: String) -> ItemRequest {
        account(protection).with(["pdmn": .string(protection), "labl": "L", "v_Data": data(protection)])
    }

    private func account(_ name: String) -> ItemRequest { password.with(["acct": .string(name)]) }

    private static let closed = ["ak", "aku"]
    private static let open = ["ck", "dk", "cku", "dku"]

    // MARK: - Finding

    @Test(
        arguments: closed,
        [[], ["r_Data"], ["r_Attributes"], ["r_Ref"], ["r_PersistentRef"], ["r_Data", "r_Attributes"]]
    )
    func `a locked item is never reported as missing`(name: String, returns: [String]) throws {
        let keychain = try locked().keychain
        let request = returns.reduce(account(name)) { $0.with([$1: true]) }
        #expect(throws: KeychainError.locked) { try keychain.find(request) }
        #expect(throws: KeychainError.locked) { try keychain.find(request.with(["m_Limit": "m_LimitAll"])) }
    }

    @Test(arguments: open) func `an item of another protection class is found`(name: String) throws {
        let keychain = try locked().keychain
        #expect(try keychain.text(account(name)) == name)
        #expect(try keychain.attributes(account(name))["labl"] == "L")
    }

    @Test func `a query that no item can match finds nothing, locked or not`() throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(account("zoe")) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(["class": "inet"]) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password.with(["agrp": "elsewhere"])) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(account("ak").with(["pdmn": "ck"])) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(account("ak").with(["sync": true])) }
    }

    @Test func `a query on locked attributes is reported as locked`() throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.locked) { try keychain.find(password.with(["labl": "nobody's"])) }
    }

    @Test func `one locked item makes a whole list locked`() throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.locked) {
            try keychain.find(password.with(["r_Data": true, "m_Limit": "m_LimitAll"]))
        }
    }

    @Test func `a locked item after the limit does not matter`() throws {
        let sample = try KeychainSample()
        try sample.keychain.add(item("ck"))
        try sample.keychain.add(item("ak"))
        sample.keychain.lock()
        #expect(try sample.keychain.text(password) == "ck")
        #expect(throws: KeychainError.locked) { try sample.keychain.find(password.with(["m_Limit": 2])) }
    }

    @Test func `a reference to a locked item reports it as locked`() throws {
        let sample = try KeychainSample()
        try sample.keychain.add(item("ak"))
        let reference = try sample.keychain.reference(account("ak"))
        sample.keychain.lock()
        #expect(throws: KeychainError.locked) { try sample.keychain.find(["v_PersistentRef": reference]) }
    }

    // MARK: - Adding

    @Test(arguments: closed) func `no item can be added under a locked key, not even a duplicate`(name: String) throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.locked) { try keychain.add(item(name).with(["acct": "new"])) }
        #expect(throws: KeychainError.locked) { try keychain.add(item(name)) }
    }

    @Test(arguments: open) func `an item can be added if its protection class is unlocked`(name: String) throws {
        let keychain = try locked().keychain
        try keychain.add(item(name).with(["acct": "new"]))
        #expect(try keychain.text(account("new")) == name)
    }

    @Test func `a duplicate of a locked item is rejected under another protection`() throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(item("ck").with(["acct": "ak"])) }
    }

    // MARK: - Changing and deleting

    @Test func `a locked item is not changed, nor are the items matched with it`() throws {
        let sample = try locked()
        #expect(throws: KeychainError.locked) { try sample.keychain.update(account("ak"), with: ["labl": "M"]) }
        #expect(throws: KeychainError.locked) { try sample.keychain.update(password, with: ["labl": "M"]) }
        try sample.keychain.update(account("ck"), with: ["labl": "M"])
        try sample.unlock()
        #expect(try sample.keychain.attributes(account("ak"))["labl"] == "L")
        #expect(try sample.keychain.count(password.with(["labl": "M"])) == 1)
    }

    @Test func `an item cannot change to a protection whose key is locked`() throws {
        let sample = try locked()
        #expect(throws: KeychainError.locked) { try sample.keychain.update(account("ck"), with: ["pdmn": "ak"]) }
        #expect(try sample.keychain.text(account("ck")) == "ck")
    }

    @Test func `a locked item can be deleted`() throws {
        let sample = try locked()
        try sample.keychain.delete(account("ak"))
        #expect(throws: KeychainError.itemNotFound) { try sample.keychain.find(account("ak")) }
        try sample.unlock()
        #expect(try sample.keychain.count(password) == 5)
    }

    @Test func `all items of a class can be deleted, locked or not`() throws {
        let keychain = try locked().keychain
        try keychain.delete(password)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password) }
    }

    @Test func `a deletion that depends on locked attributes is rejected`() throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.locked) { try keychain.delete(password.with(["labl": "L"])) }
    }

    // MARK: - Unlocking

    @Test func `unlocking makes locked items readable again`() throws {
        let sample = try locked()
        #expect(!sample.keychain.isUnlocked)
        try sample.unlock()
        #expect(sample.keychain.isUnlocked)
        for name in Self.closed + Self.open { #expect(try sample.keychain.text(account(name)) == name) }
        try sample.keychain.add(item("ak").with(["acct": "new"]))
    }

    @Test func `locking one keychain leaves another one unlocked`() throws {
        let sample = try locked()
        #expect(try sample.reopened().text(account("ak")) == "ak")
    }

    @Test func `a keychain stays locked after another process replaces the file`() throws {
        let sample = try locked()
        let other = try sample.reopened()
        try other.add(item("ak").with(["acct": "theirs"]))
        try other.add(item("ck").with(["acct": "for all"]))
        try other.compact()
        #expect(throws: KeychainError.locked) { try sample.keychain.find(account("theirs")) }
        #expect(throws: KeychainError.locked) { try sample.keychain.find(account("ak")) }
        #expect(try sample.keychain.text(account("for all")) == "ck")
        #expect(try sample.keychain.text(account("cku")) == "cku")
    }

    @Test func `a new group of another process is locked for a program without its key`() throws {
        let sample = try KeychainSample()
        try sample.keychain.add(item("ck"))
        var roots = sample.roots
        roots.devices = [:]
        let keychain = try sample.reopened(roots: roots)
        keychain.lock()
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password.with(["agrp": "new"])) }
        try sample.keychain.add(password.with(["agrp": "new"]))
        #expect(throws: KeychainError.locked) { try keychain.find(password.with(["agrp": "new"])) }
        #expect(try keychain.text(account("ck")) == "ck")
    }

    @Test func `a list of all groups is locked while one group is closed`() throws {
        let sample = try KeychainSample(AccessGroups(declared: ["*"]))
        try sample.keychain.add(item("ck").with(["agrp": "open"]))
        var roots = sample.roots
        roots.devices = [:]
        let keychain = try sample.reopened(AccessGroups(declared: ["*"]), roots: roots)
        keychain.lock()
        try sample.keychain.add(password.with(["agrp": "new"]))
        #expect(throws: KeychainError.locked) { try keychain.all(password.with(["r_PersistentRef": true])) }
    }

    @Test func `before the first unlock, only always-readable items are readable`() throws {
        let sample = try locked()
        var roots = sample.roots
        roots.user = nil
        let keychain = try sample.reopened(roots: roots)
        #expect(!keychain.isUnlocked)
        for name in ["ak", "ck", "aku", "cku"] {
            #expect(throws: KeychainError.locked) { try keychain.find(account(name)) }
        }
        for name in ["dk", "dku"] { #expect(try keychain.text(account(name)) == name) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(account("zoe")) }
    }
}
