import Coffer
import CofferSecurity
import TestSupport
import Testing

/// What copies of a vault hold according to the specification: section 10.3 of the format for merging, VF-72 for names.
///
/// Only the first copy changes items that exist, so each has one live revision; all copies add and delete.
private struct CopiesModel {
    /// A revision of an item.
    struct Version: Hashable {
        /// The number of the item, in the order in which all items were added, which is the creation order.
        let item: Int
        var name: String
        var secret: String
    }

    /// What each copy has live.
    var live: [Set<Version>]
    /// What each copy has, or had.
    var seen: [Set<Version>]

    init(_ count: Int) { (live, seen) = (Array(repeating: [], count: count), Array(repeating: [], count: count)) }

    mutating func add(_ version: Version, to copy: Int) {
        live[copy].insert(version)
        seen[copy].insert(version)
    }

    mutating func replace(_ old: Version, by new: Version, in copy: Int) {
        live[copy].remove(old)
        add(new, to: copy)
    }

    mutating func merge(_ other: Int, into one: Int) {
        live[one] = live[one].intersection(live[other])
            .union(live[one].subtracting(seen[other])).union(live[other].subtracting(seen[one]))
        seen[one].formUnion(seen[other])
    }

    /// The versions of a name: the item, then those that lost against it.
    func versions(_ name: String, in copy: Int) -> [Version] {
        live[copy].filter { $0.name == name }.sorted { $0.item > $1.item }
    }

    /// The items of a copy, oldest first.
    func items(in copy: Int) -> [Version] {
        Dictionary(grouping: live[copy], by: \.name).values.compactMap { $0.max { $0.item < $1.item } }
            .sorted { $0.item < $1.item }
    }
}

/// Random changes of three copies in which the same names are added, compared with the model.
@Suite("Model of names of several items", .temporaryDirectory) struct SharedNameModelTests {
    private static let names = ["a", "b", "c"]

    @Test(arguments: UInt64(0)..<UInt64(Trials.count(6, whole: 60)))
    func `copies behave like the model`(seed: UInt64) async throws {
        var run = try Run(seed: seed)
        for _ in 0..<60 { try await run.step() }
        // In the end all copies agree.
        for (other, one) in [(1, 0), (2, 0), (0, 1), (0, 2)] { try await run.merge(other, into: one) }
        #expect(run.model.live[0] == run.model.live[1] && run.model.live[1] == run.model.live[2])
    }

    private struct Run {
        var model = CopiesModel(3)
        private let copies: VaultCopies
        private var random: SeededGenerator
        private var references: [KeychainReference<GenericPassword>] = []
        private var count = 0
        private let seed: UInt64

        init(seed: UInt64) throws {
            (self.seed, random) = (seed, SeededGenerator(seed: seed))
            copies = try VaultCopies(3)
        }

        mutating func step() async throws {
            let (copy, name) = (Int.random(in: 0..<3, using: &random), names.randomElement(using: &random) ?? "")
            let versions = model.versions(name, in: copy)
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4: try add(name, to: copy)
            case 4..<7: try await merge((copy + Int.random(in: 1...2, using: &random)) % 3, into: copy)
            case 7: try delete(name, in: copy)
            case 8: try deleteByReference(versions.randomElement(using: &random), in: copy)
            case 9: try resolve(versions, in: copy)
            case 10: try change(name)
            default: try rename(model.versions(name, in: 0).randomElement(using: &random))
            }
            try check(copy)
            try check(0)
        }

        mutating func merge(_ other: Int, into one: Int) async throws {
            try await copies.merge(other, into: one)
            model.merge(other, into: one)
            try check(one)
        }

        private mutating func add(_ name: String, to copy: Int) throws {
            count += 1
            let secret = "\(count)"
            var item = GenericPassword(service: name, account: "kim")
            // A condition on the label alone must not find what lost either.
            item.label = secret
            guard model.versions(name, in: copy).isEmpty else {
                #expect(throws: KeychainError.duplicateItem) { try copies[copy].add(item, secret: secret) }
                return
            }
            references.append(try copies[copy].add(item, secret: secret).reference)
            model.add(CopiesModel.Version(item: references.count - 1, name: name, secret: secret), to: copy)
        }

        private mutating func delete(_ name: String, in copy: Int) throws {
            let versions = model.versions(name, in: copy)
            let count = min(versions.count, 1)
            // By the whole primary key, by a part of it, or as a request of Apple's.
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let deleted = try copies[copy].deleteAll(GenericPassword.self, where: .service(name), .account("kim"))
                #expect(deleted == count)
            case 1: #expect(try copies[copy].deleteAll(GenericPassword.self, where: .service(name)) == count)
            default:
                let request = password.with(["svce": .string(name)])
                guard !versions.isEmpty else {
                    #expect(throws: KeychainError.itemNotFound) { try copies[copy].delete(request) }
                    return
                }
                try copies[copy].delete(request)
            }
            model.live[copy].subtract(versions)
        }

        private mutating func deleteByReference(_ version: CopiesModel.Version?, in copy: Int) throws {
            guard let version else { return }
            let versions = model.versions(version.name, in: copy)
            try copies[copy].delete(references[version.item])
            model.live[copy].subtract(version == versions[0] ? versions : [version])
        }

        private mutating func resolve(_ versions: [CopiesModel.Version], in copy: Int) throws {
            guard let kept = versions.randomElement(using: &random), versions.count > 1 else { return }
            let live = try copies[copy].history(of: references[versions[0].item]).revisions.filter { $0.ended == nil }
            let past = try #require(live.first { $0.reference == references[kept.item] })
            #expect(try copies[copy].resolveConflict(keeping: past).reference == references[kept.item])
            model.live[copy].subtract(versions.filter { $0 != kept })
        }

        private mutating func change(_ name: String) throws {
            guard let item = model.versions(name, in: 0).first else { return }
            count += 1
            var changed = item
            changed.secret = "\(count)"
            if Bool.random(using: &random) {
                try copies[0].save(GenericPassword(service: name, account: "kim"), secret: changed.secret)
            } else {
                try copies[0].update(password.with(["svce": .string(name)]), with: ["v_Data": data(changed.secret)])
            }
            model.replace(item, by: changed, in: 0)
        }

        private mutating func rename(_ version: CopiesModel.Version?) throws {
            guard let version, let name = names.filter({ $0 != version.name }).randomElement(using: &random) else {
                return
            }
            let versions = model.versions(version.name, in: 0)
            let isTaken = !model.versions(name, in: 0).isEmpty
            let error: KeychainError? =
                version == versions[0] && versions.count > 1 ? .unresolvedConflict : isTaken ? .duplicateItem : nil
            let reference = references[version.item]
            if let error {
                #expect(throws: error) { try copies[0].update(reference) { $0.service = name } }
                return
            }
            try copies[0].update(reference) { $0.service = name }
            var renamed = version
            renamed.name = name
            model.replace(version, by: renamed, in: 0)
        }

        /// Compares what a copy shows with the model.
        private func check(_ copy: Int) throws {
            let keychain = copies[copy]
            let items = model.items(in: copy)
            let found = try keychain.items(GenericPassword.self)
            #expect(found.map(\.reference) == items.map { references[$0.item] }, "seed \(seed)")
            #expect(try keychain.count(password) == items.count)
            for name in names {
                let item = items.first { $0.name == name }
                let whole = try keychain.secretText(GenericPassword.self, where: .service(name), .account("kim"))
                let part = try keychain.secretText(GenericPassword.self, where: .service(name))
                #expect(whole == item?.secret && part == item?.secret)
            }
            for version in model.live[copy] {
                #expect(try keychain.secretText(of: references[version.item]) == version.secret)
                let label = try #require(try keychain.item(references[version.item])?.item.label)
                let isFound = try keychain.item(GenericPassword.self, where: .label(label)) != nil
                #expect(isFound == items.contains(version))
            }
            let contested = items.map { model.versions($0.name, in: copy) }.filter { $0.count > 1 }
            #expect(try keychain.versions() == contested.map { $0.map(\.secret) })
        }
    }
}
