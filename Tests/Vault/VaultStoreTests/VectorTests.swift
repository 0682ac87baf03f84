import CofferBasics
import Foundation
import Testing
import StoreTestSupport
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

/// The store opens the parts of a vector on demand, and must find the same items each way.
@Suite("Vectors, read by the store", .temporaryDirectory) struct VectorTests {
    private static let vectors = ((try? VaultVector.all()) ?? []).filter { !$0.hasLimit }
    /// The vectors whose snapshot is damaged.
    ///
    /// Where it does not say that an item has two revisions, a reader that does
    /// not look up the item by its id takes both for current.
    private static let damaged = vectors.filter { vector in
        vector.expectation == "snapshot failure" && vector.name != "page_contested_missing"
    }

    private func path(of vector: VaultVector) throws -> String {
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        try Data(vector.bytes).write(to: URL(filePath: path))
        return path
    }

    @Test func `there are vectors`() {
        #expect(Self.vectors.count > 200)
        #expect(Self.damaged.count > 50)
    }

    @Test(arguments: vectors)
    func `the store finds each item that it lists, and no others`(vector: VaultVector) throws {
        let path = try path(of: vector)
        let subject = VaultSubject(vector.bytes)
        let contents: VaultContents
        do throws(VaultFormatError) {
            contents = try subject.contents(vector)
        } catch {
            return #expect(error.kind == vector.expectation)
        }
        guard contents.report.damages.isEmpty else { return #expect(vector.expectation == contents.outcome) }
        let revisions = Set(contents.items.values.map(\.stored.revision))
        // Each kind of lookup uses a store that has not read anything yet.
        let named = try vector.opened(at: path).read { vault in
            var items: [StoredItem] = []
            for name in contents.items.keys { if let item = try vault.item(name) { items.append(item) } }
            return try Self.valid(items, in: &vault)
        }
        #expect(named == revisions)
        // Only some of the items: each is looked up in a newly opened store.
        for item in contents.readableItems.prefix(4) {
            guard let attributes = item.attributes else { continue }
            let stored = item.stored
            let byKey = try vector.opened(at: path).read { vault in
                let found = try vault.items(withPrimaryKeyOf: attributes, in: stored.name.group)
                return try Self.valid(found, in: &vault)
            }
            #expect(byKey.contains(stored.revision))
            let values = try stored.itemClass.primaryKey.map { name in
                (name: name, canonicalValue: try attributes.canonicalValue(name))
            }
            let byAttributes = try vector.opened(at: path).read { vault in
                let found = try vault.items(of: stored.itemClass, in: stored.name.group, having: values)
                return try Self.valid(found, in: &vault)
            }
            #expect(byAttributes.contains(stored.revision))
        }
    }

    // A change after a put that did not count got the same number, and other readers took it for the older one.
    @Test(arguments: vectors.filter { $0.expectation == "record failure" })
    func `a change after a record that does not count is seen by all readers`(vector: VaultVector) throws {
        let path = try path(of: vector)
        let store = try vector.opened(at: path)
        guard store.readOnlyReason == nil else { return }
        let items = try VaultSubject(vector.bytes).contents(vector).readableItems
        let changed = try store.transaction { transaction in
            var changed: [ItemName] = []
            for item in items {
                guard let attributes = item.attributes else { continue }
                let name = item.stored.name
                guard let stored = try transaction.vault.item(name) else { continue }
                try transaction.update(stored, attributes: attributes, secret: .replace("changed".utf8Span.span))
                changed.append(name)
            }
            return changed
        }
        #expect(changed.count == items.count)
        let contents = try VaultSubject([UInt8](Data(contentsOf: URL(filePath: path)))).contents(vector)
        try vector.opened(at: path).read { vault in
            for name in changed {
                let item = try vault.item(name)
                #expect(item?.revision == contents.items[name]?.stored.revision)
                guard let item else { continue }
                #expect(try vault.secret(of: item).text == "changed")
            }
        }
    }

    /// The revisions of the items that turn out to be valid, or are sealed.
    private static func valid(
        _ items: [StoredItem],
        in vault: inout OpenGeneration
    ) throws -> Set<Revision> {
        var revisions: Set<Revision> = []
        for item in items {
            if item.presence == .readable {
                do {
                    let attributes = try vault.attributes(of: item)
                    let secret = try vault.secret(of: item)
                    try item.name.opening { try secret?.check(for: attributes) }
                } catch let error as StoreError {
                    guard case .invalidItem = error else { throw error }
                    continue
                }
            }
            revisions.insert(item.revision)
        }
        return revisions
    }

    // A block list that named another key for a block made a compaction drop its items.
    @Test(arguments: damaged)
    func `a compaction of a damaged vault keeps every item that can be read`(vector: VaultVector) throws {
        let path = try path(of: vector)
        guard let store = try? vector.opened(at: path) else { return }
        let before = try Self.readable(in: store)
        _ = try? store.compact()
        #expect(try Self.readable(in: vector.opened(at: path)).isSuperset(of: before))
    }

    // The same block list, in a key change.
    // Whoever has the match key can write such an entry.
    @Test func `a past revision that ended in the future is dropped as others`() throws {
        let vector = try #require(try VaultVector.all().first { $0.name == "past_ended_later" })
        let store = try vector.opened(at: path(of: vector))
        #expect(try store.compact().droppedRevisionCount == 1)
        #expect(try store.verify().isIntact)
    }

    @Test(arguments: damaged)
    func `a key change of a damaged vault keeps every item that can be read`(vector: VaultVector) throws {
        let store = try? vector.opened(at: path(of: vector))
        guard let store else { return }
        let before = try Self.readable(in: store)
        let isChanged = (try? store.changePassphrase(to: "another")) != nil
        #expect(try Self.readable(in: store).isSuperset(of: before))
        if vector.name == "list_block_handle" { #expect(!isChanged) }
    }

    // An item to which its id does not lead came back when the vault was opened again, and was missing after a salvage.
    @Test(arguments: damaged)
    func `an item deleted from a damaged vault is gone, or the delete fails`(vector: VaultVector) throws {
        let original = try path(of: vector)
        guard let store = try? vector.opened(at: original) else { return }
        let items = try Self.readableItems(in: store)
        let lost = try store.read { vault in items.filter { item in (try? vault.item(item.name)) == nil } }
        for (number, item) in (lost.prefix(3) + items.filter { !lost.contains($0) }.prefix(3)).enumerated() {
            let path = try TemporaryDirectory.current.appending(path: "\(number)").path
            try FileManager.default.copyItem(atPath: original, toPath: path)
            let copy = try vector.opened(at: path)
            do {
                try copy.transaction { transaction in try transaction.delete(item) }
            } catch is StoreError {
                continue
            }
            let rest = try Self.readable(in: vector.opened(at: path))
            #expect(!rest.contains(item.revision))
            let savedPath = path + ".saved"
            let environment = StoreEnvironment(random: try SystemRandom())
            _ = try VaultStore.salvage(at: path, to: savedPath, environment: environment, roots: vector.rootsOfPrelude)
            let saved = try Self.readable(in: vector.opened(at: savedPath))
            // Of several revisions that are not flagged as such, the greatest is shown afterwards.
            #expect(Set(saved.map(\.item)).isSuperset(of: rest.map(\.item)))
            _ = try? copy.compact()
            #expect(try !Self.readable(in: vector.opened(at: path)).contains(item.revision))
        }
    }

    /// The revisions of the items whose attributes can be read, as far as the items can be listed.
    private static func readable(in store: VaultStore) throws -> Set<Revision> {
        Set(try readableItems(in: store).map(\.revision))
    }

    private static func readableItems(in store: VaultStore) throws -> [StoredItem] {
        try store.read { vault in
            let groups = vault.groupNames.keys.sorted { $0.description < $1.description }
            let items = groups.flatMap { group in (try? vault.items(in: group)) ?? [] }
            return items.filter { item in (try? vault.attributes(of: item)) != nil }
        }
    }

    @Test(arguments: damaged)
    func `a verification finds the damage, and a salvage leaves it behind`(vector: VaultVector) throws {
        let path = try path(of: vector)
        let environment = StoreEnvironment(random: try SystemRandom())
        let roots = vector.rootsOfPrelude
        let report: VerificationReport
        do {
            report = try VaultStore.verify(at: path, environment: environment, roots: roots)
        } catch let error as StoreError {
            // Without its keys, nothing can be said about a vault.
            guard case .vault(.keybagFailure, _) = error else { throw error }
            return #expect(vector.name == "order_directory_before_keys")
        }
        let isFound = !report.damages.isEmpty || !report.invalidItems.isEmpty || report.directoryFailure != nil
        #expect(isFound, "\(report)")
        let saved = try TemporaryDirectory.current.appending(path: "saved.coffer").path
        _ = try VaultStore.salvage(at: path, to: saved, environment: environment, roots: roots)
        let second = try VaultStore.verify(at: saved, environment: environment, roots: roots)
        #expect(second.damages.isEmpty, "\(second)")
        // A damaged item stays, so that it is not taken for one that was never there.
        let known = Set(report.invalidItems.map(\.name) + report.damages.flatMap(\.items))
        #expect(known.isSuperset(of: second.invalidItems.map(\.name)), "\(second)")
        #expect(second.directoryFailure == nil && second.tail == .clean)
    }

    @Test func `a salvage counts items with invalid metadata among those that may be out of date`() throws {
        let vector = try #require(try VaultVector.all().first { $0.name == "attribute_unknown" })
        let path = try path(of: vector)
        var bytes = vector.bytes
        // Damages the last change, which adds another item.
        let last = try #require(bytes.ranges(of: FrameHead.magic).last)
        bytes[last.lowerBound + 200] ^= 1
        try Data(bytes).write(to: URL(filePath: path))
        let environment = StoreEnvironment(random: try SystemRandom())
        let saved = try TemporaryDirectory.current.appending(path: "saved.coffer").path
        let report = try VaultStore.salvage(
            at: path,
            to: saved,
            environment: environment,
            roots: vector.rootsOfPrelude
        )
        #expect(report.missingTransactions.count == 1)
        #expect(report.staleItemCount == 2)
        #expect(report.staleItems.count == 1)
    }
}
