import Coffer
import CofferSecurity
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// Section 8.3 of Apple's behaviour, and the design: locked is never absent.
@Suite("Locking", .temporaryDirectory) struct LockingTests {
    /// A keychain with an item of each protection that needs no passphrase, named after it, and locked.
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
    func `an item that is locked is not absent, whatever is asked of it`(name: String, returns: [String]) throws {
        let keychain = try locked().keychain
        let request = returns.reduce(account(name)) { $0.with([$1: true]) }
        #expect(throws: KeychainError.locked) { try keychain.find(request) }
        #expect(throws: KeychainError.locked) { try keychain.find(request.with(["m_Limit": "m_LimitAll"])) }
    }

    @Test(arguments: open) func `an item of another protection is found`(name: String) throws {
        let keychain = try locked().keychain
        #expect(try keychain.text(account(name)) == name)
        #expect(try keychain.attributes(account(name))["labl"] == "L")
    }

    @Test func `what nothing matches is not there, locked or not`() throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(account("zoe")) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(["class": "inet"]) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password.with(["agrp": "elsewhere"])) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(account("ak").with(["pdmn": "ck"])) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(account("ak").with(["sync": true])) }
    }

    @Test func `what may be meant by attributes that are locked is locked`() throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.locked) { try keychain.find(password.with(["labl": "nobody's"])) }
    }

    @Test func `one locked item keeps a whole list back`() throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.locked) {
            try keychain.find(password.with(["r_Data": true, "m_Limit": "m_LimitAll"]))
        }
    }

    @Test func `a locked item behind the last that is wanted does not matter`() throws {
        let sample = try KeychainSample()
        try sample.keychain.add(item("ck"))
        try sample.keychain.add(item("ak"))
        sample.keychain.lock()
        #expect(try sample.keychain.text(password) == "ck")
        #expect(throws: KeychainError.locked) { try sample.keychain.find(password.with(["m_Limit": 2])) }
    }

    @Test func `a reference to a locked item finds it locked`() throws {
        let sample = try KeychainSample()
        try sample.keychain.add(item("ak"))
        let reference = try sample.keychain.reference(account("ak"))
        sample.keychain.lock()
        #expect(throws: KeychainError.locked) { try sample.keychain.find(["v_PersistentRef": reference]) }
    }

    // MARK: - Adding

    @Test(arguments: closed) func `nothing is added whose key is not there, a duplicate neither`(name: String) throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.locked) { try keychain.add(item(name).with(["acct": "new"])) }
        #expect(throws: KeychainError.locked) { try keychain.add(item(name)) }
    }

    @Test(arguments: open) func `what can be read can be added`(name: String) throws {
        let keychain = try locked().keychain
        try keychain.add(item(name).with(["acct": "new"]))
        #expect(try keychain.text(account("new")) == name)
    }

    @Test func `a duplicate of a locked item is refused in another protection`() throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(item("ck").with(["acct": "ak"])) }
    }

    // MARK: - Changing and deleting

    @Test func `a locked item is not changed, nor what would be changed with it`() throws {
        let sample = try locked()
        #expect(throws: KeychainError.locked) { try sample.keychain.update(account("ak"), with: ["labl": "M"]) }
        #expect(throws: KeychainError.locked) { try sample.keychain.update(password, with: ["labl": "M"]) }
        try sample.keychain.update(account("ck"), with: ["labl": "M"])
        try sample.unlock()
        #expect(try sample.keychain.attributes(account("ak"))["labl"] == "L")
        #expect(try sample.keychain.count(password.with(["labl": "M"])) == 1)
    }

    @Test func `an item does not become one of a protection whose key is not there`() throws {
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

    @Test func `what to delete must be told by what can be seen`() throws {
        let keychain = try locked().keychain
        #expect(throws: KeychainError.locked) { try keychain.delete(password.with(["labl": "L"])) }
    }

    // MARK: - Unlocking

    @Test func `what was locked is there again`() throws {
        let sample = try locked()
        #expect(!sample.keychain.isUnlocked)
        try sample.unlock()
        #expect(sample.keychain.isUnlocked)
        for name in Self.closed + Self.open { #expect(try sample.keychain.text(account(name)) == name) }
        try sample.keychain.add(item("ak").with(["acct": "new"]))
    }

    @Test func `who locks one keychain leaves another one open`() throws {
        let sample = try locked()
        #expect(try sample.reopened().text(account("ak")) == "ak")
    }

    @Test func `it stays locked, and open where it was, when another process replaces the file`() throws {
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

    @Test func `a group that another process made may hold anything, for who has no key that opens it`() throws {
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

    @Test func `a list of all groups is locked while one of them is closed`() throws {
        let sample = try KeychainSample(AccessGroups(declared: ["*"]))
        try sample.keychain.add(item("ck").with(["agrp": "open"]))
        var roots = sample.roots
        roots.devices = [:]
        let keychain = try sample.reopened(AccessGroups(declared: ["*"]), roots: roots)
        keychain.lock()
        try sample.keychain.add(password.with(["agrp": "new"]))
        #expect(throws: KeychainError.locked) { try keychain.all(password.with(["r_PersistentRef": true])) }
    }

    @Test func `before the vault is unlocked for the first time only what is always open is open`() throws {
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
