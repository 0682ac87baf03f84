import Coffer
import TestSupport
import Testing

/// Changing, saving and deleting typed items, also from another revision and while they are locked.
@Suite("Typed changes", .temporaryDirectory) struct TypedChangeTests {
    private let mail = GenericPassword(service: "mail", account: "kim")

    @Test func `a change keeps the secret and all other attributes`() throws {
        let keychain = try KeychainSample().keychain
        var item = mail
        item.comment = "first"
        let old = try keychain.add(item, secret: "x")
        let new = try keychain.update(old.reference) { item in
            item.account = "lee"
            item.label = "L"
        }
        #expect(new.account == "lee" && new.label == "L" && new.comment == "first")
        #expect(new.reference == old.reference)
        #expect(try keychain.secretText(of: new.reference) == "x")
    }

    @Test func `setting an attribute to nil removes it`() throws {
        let keychain = try KeychainSample().keychain
        var item = mail
        item.label = "L"
        let stored = try keychain.add(item)
        try keychain.update(stored.reference) { $0.label = nil }
        #expect(try keychain.attributes(password)["labl"] == nil)
    }

    @Test func `an update without changes makes no revision`() throws {
        let keychain = try KeychainSample().keychain
        let stored = try keychain.add(mail)
        #expect(try keychain.update(stored.reference) { $0.account = "kim" } == stored)
        #expect(try keychain.item(stored.reference) == stored)
    }

    @Test func `an item moves to another group and another protection`() throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["one", "two"])).keychain
        let old = try keychain.add(mail, secret: "x")
        let new = try keychain.update(old.reference) { item in
            item.accessGroup = "two"
            item.accessibility = .afterFirstUnlock
        }
        #expect(new.accessGroup == "two" && new.accessibility == .afterFirstUnlock)
        #expect(new.revision.number > old.revision.number)
        #expect(try keychain.secretText(of: old.reference) == "x")
    }

    @Test func `a change based on another revision changes nothing`() throws {
        let keychain = try KeychainSample().keychain
        let old = try keychain.add(mail, secret: "x")
        let new = try keychain.update(old.reference, ifRevision: old.revision) { $0.label = "L" }
        #expect(throws: KeychainError.revisionDiffers) {
            try keychain.update(old.reference, ifRevision: old.revision) { $0.label = "M" }
        }
        #expect(throws: KeychainError.revisionDiffers) {
            try keychain.setSecret("y", of: old.reference, ifRevision: old.revision)
        }
        #expect(throws: KeychainError.revisionDiffers) {
            try keychain.removeSecret(of: old.reference, ifRevision: old.revision)
        }
        #expect(throws: KeychainError.revisionDiffers) {
            try keychain.delete(old.reference, ifRevision: old.revision)
        }
        #expect(try keychain.item(old.reference) == new)
        #expect(try keychain.secretText(of: old.reference) == "x")
        try keychain.delete(old.reference, ifRevision: new.revision)
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(old.reference, ifRevision: new.revision) }
    }

    @Test func `another process's change is detected`() throws {
        let sample = try KeychainSample()
        let old = try sample.keychain.add(mail, secret: "x")
        let theirs = try sample.reopened().setSecret("theirs", of: old.reference)
        #expect(throws: KeychainError.revisionDiffers) {
            try sample.keychain.setSecret("ours", of: old.reference, ifRevision: old.revision)
        }
        try sample.keychain.setSecret("ours", of: old.reference, ifRevision: theirs.revision)
        #expect(try sample.reopened().secretText(of: old.reference) == "ours")
    }

    @Test func `no concurrent increment is lost`() async throws {
        let sample = try KeychainSample()
        let counter = try sample.keychain.add(mail, secret: "0").reference
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<25 { try increment(counter, in: sample.keychain) } }
            }
            try await group.waitForAll()
        }
        #expect(try sample.keychain.secretText(of: counter) == "200")
    }

    /// Increments the counter, and retries if another thread was faster.
    private func increment(_ counter: KeychainReference<GenericPassword>, in keychain: Keychain) throws {
        while true {
            guard let stored = try keychain.item(counter), let text = try keychain.secretText(of: counter),
                let number = Int(text)
            else { throw KeychainError.itemNotFound }
            do throws(KeychainError) {
                try keychain.setSecret("\(number + 1)", of: counter, ifRevision: stored.revision)
                return
            } catch {
                // The sample's clock advances only for waiting threads, so a wait may time out at once.
                if case .vault(let problem) = error, problem.kind == .busy { continue }
                guard error == .revisionDiffers else { throw error }
            }
        }
    }

    @Test func `a revision can be stored as text`() throws {
        let revision = try KeychainSample().keychain.add(mail).revision
        #expect(ItemRevision(revision.description) == revision)
        #expect(ItemRevision("7-00000000000000af")?.description == "7-00000000000000af")
        #expect(ItemRevision("01-00000000000000af") == nil && ItemRevision("7-af") == nil)
        #expect(ItemRevision("1") == nil && ItemRevision("1-2-3") == nil)
    }

    // MARK: - Saving and deleting

    @Test func `saving adds an item, then replaces it`() throws {
        let keychain = try KeychainSample().keychain
        var item = mail
        item.label = "L"
        let first = try keychain.save(item, secret: "one")
        var other = mail
        other.comment = "second"
        let second = try keychain.save(other, secret: "two")
        #expect(second.reference == first.reference && second.created == first.created)
        #expect(second.label == "L" && second.comment == "second")
        #expect(try keychain.secretText(of: first.reference) == "two")
        #expect(try keychain.count(GenericPassword.self) == 1)
    }

    @Test func `saving distinguishes items of several groups`() throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["one", "two"])).keychain
        var item = mail
        item.accessGroup = "two"
        try keychain.save(item, secret: "two")
        try keychain.save(mail, secret: "one")
        #expect(try keychain.count(GenericPassword.self) == 2)
        #expect(try keychain.secretText(GenericPassword.self, where: .group("two")) == "two")
    }

    @Test func `all matching items are deleted`() throws {
        let keychain = try KeychainSample().keychain
        for name in ["a", "b"] { try keychain.add(GenericPassword(service: "mail", account: "\(name)")) }
        try keychain.add(GenericPassword(service: "shop"))
        #expect(try keychain.deleteAll(GenericPassword.self, where: .service("mail")) == 2)
        #expect(try keychain.deleteAll(GenericPassword.self, where: .service("mail")) == 0)
        #expect(try keychain.count(GenericPassword.self) == 1)
    }

    // MARK: - Locked

    @Test func `a locked item is not reported as missing, and can be deleted`() throws {
        let keychain = try KeychainSample().keychain
        let stored = try keychain.add(mail, secret: "x")
        keychain.lock()
        #expect(throws: KeychainError.locked) { try keychain.item(GenericPassword.self, where: .service("mail")) }
        #expect(throws: KeychainError.locked) { try keychain.item(stored.reference) }
        #expect(throws: KeychainError.locked) { try keychain.secret(of: stored.reference) }
        #expect(throws: KeychainError.locked) { try keychain.save(mail, secret: "y") }
        #expect(throws: KeychainError.locked) { try keychain.update(stored.reference) { $0.label = "L" } }
        #expect(try keychain.item(GenericPassword.self, where: .service("shop")) == nil)
        try keychain.delete(stored.reference, ifRevision: stored.revision)
        #expect(try keychain.item(stored.reference) == nil)
    }
}
