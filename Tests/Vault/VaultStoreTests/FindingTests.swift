import CofferBasics
import Foundation
import KeyedArchive
import Testing
import TestSupport
import VaultFormat
import VaultStore

/// How items are found in the log and in the snapshot.
@Suite("Finding items") struct FindingTests {
    /// Where the items are.
    enum Place: CaseIterable {
        case log
        case snapshot
        /// The first half is in the snapshot, the rest in the log, which has changed every third of the first half.
        case both
    }

    private static let count = 60

    private func sample(_ place: Place) throws -> StoreSample {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        func add(_ numbers: Range<Int>) throws {
            try sample.store.transaction { transaction in
                for number in numbers { try transaction.addLogin("a\(number)", "s\(number % 5)", "old \(number)") }
            }
        }
        try add(0..<Self.count / 2)
        if place == .both { try sample.store.compact() }
        try add(Self.count / 2..<Self.count)
        for number in stride(from: 0, to: Self.count, by: 3) {
            let item = try #require(try sample.store.item("a\(number)", "s\(number % 5)"))
            try sample.store.update(item, "a\(number)", "s\(number % 5)", secret: "new \(number)")
        }
        let deleted = try #require(try sample.store.item("a7", "s2"))
        try sample.store.delete(deleted)
        if place == .snapshot { try sample.store.compact() }
        return sample
    }

    private var numbers: [Int] { (0..<Self.count).filter { $0 != 7 } }

    private func text(_ number: Int) -> String { number % 3 == 0 ? "new \(number)" : "old \(number)" }

    @Test(.temporaryDirectory, arguments: Place.allCases)
    func `all items of a group are found in creation order, with their data`(place: Place) throws {
        let sample = try sample(place)
        let expected = numbers.map { "a\($0) s\($0 % 5) \(text($0))" }
        #expect(try sample.store.passwords() == expected)
        #expect(try sample.reopened().passwords() == expected)
    }

    @Test(.temporaryDirectory, arguments: Place.allCases)
    func `an item is found by its primary key, and by its id`(place: Place) throws {
        let sample = try sample(place)
        for store in [sample.store, try sample.reopened()] {
            for number in numbers {
                let item = try #require(try store.item("a\(number)", "s\(number % 5)"))
                #expect(try store.text(of: item) == text(number))
                #expect(try store.read { vault in try vault.item(item.name) } == item)
            }
            #expect(try store.item("a7", "s2") == nil)
            #expect(try store.item("a1", "s2") == nil)
            let unknown = ItemName(group: .none, item: ItemID([UInt8](repeating: 9, count: 16).span))
            #expect(try store.read { vault in try vault.item(unknown) } == nil)
        }
    }

    @Test(.temporaryDirectory, arguments: Place.allCases)
    func `items are found by attributes of their primary key, in creation order`(place: Place) throws {
        let sample = try sample(place)
        func services(_ store: VaultStore, _ wanted: [String: String]) throws -> [String] {
            let service = try login("", wanted["svce"] ?? "").canonicalValue("svce")
            let account = try login(wanted["acct"] ?? "", "").canonicalValue("acct")
            let values = [("svce", service), ("acct", account)].filter { wanted[$0.0] != nil }
            return try store.read { vault in
                let group = vault.keyring.group(named: StoreSample.group)?.group ?? .none
                var accounts: [String] = []
                for item in try vault.items(
                    of: .genericPassword,
                    in: group,
                    having: values.map { (name: $0.0, canonicalValue: $0.1) }
                ) { accounts.append(try vault.attributes(of: item)["acct"]?.string ?? "") }
                return accounts
            }
        }
        for store in [sample.store, try sample.reopened()] {
            #expect(try services(store, ["svce": "s2"]) == numbers.filter { $0 % 5 == 2 }.map { "a\($0)" })
            #expect(try services(store, ["acct": "a12"]) == ["a12"])
            #expect(try services(store, ["acct": "a12", "svce": "s2"]) == ["a12"])
            #expect(try services(store, ["acct": "a12", "svce": "s3"]) == [])
            #expect(try services(store, [:]) == numbers.map { "a\($0)" })
        }
    }

    @Test(.temporaryDirectory) func `an item reads the same in the log and in the snapshot`() throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        try sample.store.transaction { transaction in
            let secret = Array("sesame".utf8)
            _ = try transaction.add(
                try loginAttributes("kim", "mail", label: "Mail"),
                secret: secret.span,
                group: StoreSample.group,
                protection: .always
            )
        }
        let inLog = try #require(try sample.store.item("kim", "mail"))
        let (attributes, text) = (try sample.store.attributes(of: inLog), try sample.store.text(of: inLog))
        try sample.store.compact()
        let inSnapshot = try #require(try sample.store.item("kim", "mail"))
        #expect(try sample.store.attributes(of: inSnapshot) == attributes)
        #expect(try sample.store.text(of: inSnapshot) == text)
        #expect(inSnapshot.name == inLog.name)
        #expect(inSnapshot.revision == inLog.revision)
        #expect(inSnapshot.order == inLog.order)
        #expect(inSnapshot.flags == inLog.flags)
        #expect(inSnapshot.itemClass == inLog.itemClass)
        #expect(inSnapshot.dataKey == inLog.dataKey)
        #expect(inSnapshot.protection == inLog.protection)
        #expect(inSnapshot.presence == inLog.presence)
        #expect(inSnapshot.hasData)
    }
}
