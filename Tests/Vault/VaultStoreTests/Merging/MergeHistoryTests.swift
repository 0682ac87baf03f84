import CofferBasics
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// Random histories of several copies, which end equal in whatever order they are merged.
@Suite("Merging random histories") struct MergeHistoryTests {
    @Test(arguments: 0..<Trials.count(5, whole: 60))
    func `all orders end with the revisions that nobody ended`(number: Int) throws {
        var history = try MergeHistory(copyCount: 3 + number % 3, seed: UInt64(number))
        try history.run(stepCount: Trials.count(700, whole: 2_000))
        #expect(history.closedGroupCount > 0)
        for order in 0..<3 {
            var copies = try history.copies.cloned()
            try mergeAll(&copies, order: order, seed: UInt64(number))
            for store in copies.stores {
                #expect(try Set(store.live().map(MergeHistory.Name.init)) == history.liveByCompleteHistory)
                #expect(try store.shown() == copies.stores[0].shown())
            }
            // What was read from the files is the same.
            for index in copies.stores.indices {
                let before = try copies.stores[index].live()
                try copies.reopen(index)
                #expect(try copies.stores[index].live() == before)
            }
        }
    }

    @Test(arguments: 0..<Trials.count(8, whole: 200))
    func `nothing that ended comes back, and what is left out is listed, if writers are forgotten`(
        number: Int
    ) throws {
        var history = try MergeHistory(copyCount: 3, seed: UInt64(number), isForgetting: true)
        try history.run(stepCount: Trials.count(300, whole: 600))
        #expect(history.leftOutCount > 0)
        var live: [Set<LiveText>] = []
        for order in 0..<3 {
            var copies = try history.copies.cloned()
            try mergeAll(&copies, order: order, seed: UInt64(number))
            live += try copies.stores.map { try $0.live() }
        }
        for other in live { #expect(other == live[0]) }
    }

    /// Merges copies until each has what all have, in one of several orders.
    private func mergeAll(_ copies: inout MergeCopies, order: Int, seed: UInt64) throws {
        let last = copies.stores.count - 1
        switch order {
        case 0:
            // All into the first, which goes to all others.
            for other in copies.stores[1...] { _ = try copies.stores[0].merge(other) }
            for other in copies.stores[1...] { _ = try other.merge(copies.stores[0]) }
        case 1:
            // Along a chain and back.
            for index in 1...last { _ = try copies.stores[index].merge(copies.stores[index - 1]) }
            for index in (1...last).reversed() { _ = try copies.stores[index - 1].merge(copies.stores[index]) }
        default:
            var generator = SeededGenerator(seed: seed)
            var pairs = copies.stores.indices.flatMap { one in copies.stores.indices.map { (one, $0) } }
            for _ in 0..<2 {
                pairs.shuffle(using: &generator)
                for (one, other) in pairs where one != other {
                    _ = try copies.stores[one].merge(copies.stores[other])
                    if Int.random(in: 0..<4, using: &generator) == 0 {
                        try copies.stores[one].compact(.purging(.everything))
                    }
                }
            }
        }
    }
}

/// A random history of several copies, and what must be live in the end.
private struct MergeHistory {
    /// A revision of an item of a group.
    struct Name: Hashable {
        let group: String
        let revision: Revision

        init(_ live: LiveText) { (group, revision) = (live.group, live.revision) }
    }

    private(set) var copies: MergeCopies
    private var generator: SeededGenerator
    /// Whether compactions forget writers.
    private let isForgetting: Bool
    private var created: Set<Name> = []
    private var ended: Set<Name> = []
    /// What has ended in each copy, or in one that was merged into it.
    private var endedIn: [Set<Name>]
    private var textCount = 0
    private var deviceItemCount = 0
    /// How many groups were left alone by merges, since they were closed.
    private(set) var closedGroupCount = 0
    /// How many revisions were left out, since a copy may never have had them.
    private(set) var leftOutCount = 0

    /// By the complete history, which real copies do not keep.
    var liveByCompleteHistory: Set<Name> { created.subtracting(ended) }

    init(copyCount: Int, seed: UInt64, isForgetting: Bool = false) throws {
        self.isForgetting = isForgetting
        endedIn = Array(repeating: [], count: copyCount)
        copies = try MergeCopies(copyCount, seed: seed) { store in
            for group in MergeCopies.groups { try store.put("account 0", "start", in: group) }
        }
        try copies.grantFirstGroup()
        generator = SeededGenerator(seed: seed)
        created = Set(try copies.stores[0].live().map(Name.init))
    }

    mutating func run(stepCount: Int) throws {
        for _ in 0..<stepCount {
            let number = Int.random(in: copies.stores.indices, using: &generator)
            if Int.random(in: 0..<8, using: &generator) == 0 {
                let other = Int.random(in: copies.stores.indices, using: &generator)
                if other != number { try mergeAndCheck(other, into: number) }
                continue
            }
            let before = try live(in: number)
            try change(number)
            let after = try live(in: number)
            created.formUnion(after.subtracting(before))
            ended.formUnion(before.subtracting(after))
            endedIn[number].formUnion(before.subtracting(after))
        }
    }

    private func live(in number: Int) throws -> Set<Name> { Set(try copies.stores[number].live().map(Name.init)) }

    private mutating func mergeAndCheck(_ other: Int, into number: Int) throws {
        let (before, theirs) = (try live(in: number), try live(in: other))
        guard let (report, groups) = try merge(other, into: number) else { return }
        let after = try live(in: number)
        let isMerged = { (name: Name) in groups.contains(name.group) }
        let leftOut = Set(report.leftOut.map(\.item))
        #expect(after.subtracting(before).isDisjoint(with: endedIn[number]))
        endedIn[number].formUnion(endedIn[other].subtracting(after).filter(isMerged))
        let missing = before.union(theirs.filter(isMerged)).subtracting(after).subtracting(endedIn[number])
        #expect(missing.allSatisfy { leftOut.contains($0.revision.item) })
        leftOutCount += missing.count
    }

    /// Merges two copies, now and then by the holder of a grant, for whom one of the groups is closed, or by one device.
    ///
    /// - Returns: What was merged, and of which groups; nil if the two cannot be merged so.
    private mutating func merge(_ other: Int, into number: Int) throws -> (report: MergeReport, groups: Set<String>)? {
        var groups = Set(MergeCopies.groups.map { String(decoding: $0, as: UTF8.self) })
        let report: MergeReport
        do {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0...1:
                report = try copies.openedByHolder(number).merge(copies.openedByHolder(other))
                closedGroupCount += report.closedGroupCount
                groups = report.closedGroupCount > 1 ? [] : ["mail"]
            case 2:
                let device = Bool.random(using: &generator) ? MergeCopies.device : MergeCopies.otherDevice
                let (own, theirs) = (try copies.opened(number, on: device), try copies.opened(other, on: device))
                report = try own.merge(theirs)
                _ = try own.settleDevices()
            default: report = try copies.stores[number].merge(copies.stores[other])
            }
        } catch StoreError.keyChange(.notGranted, path: _) {
            // Only an owner can replace the file, which other keys or slots require.
            return nil
        } catch StoreError.merge(.deviceNeeded, path: _) {
            // The items of a device that is not here have other keys there.
            return nil
        }
        try copies.reopen(number)
        return (report, groups)
    }

    /// The account of an item that may be there, now and then of one that is bound to the other device.
    private mutating func account() -> String {
        guard deviceItemCount > 0, Int.random(in: 0..<3, using: &generator) == 0 else {
            return "account \(Int.random(in: 0..<6, using: &generator))"
        }
        return "bound \(Int.random(in: 1...deviceItemCount, using: &generator))"
    }

    /// Compacts a copy, now and then with the key of one device, to which items of the other are sealed.
    private mutating func compact(_ number: Int) throws {
        let writerCount = isForgetting ? Int.random(in: 0..<3, using: &generator) : Limits.rememberedWriterCount
        guard Bool.random(using: &generator) else { return try copies.stores[number].compact(remembering: writerCount) }
        let device = Bool.random(using: &generator) ? MergeCopies.device : MergeCopies.otherDevice
        try copies.opened(number, on: device).compact(remembering: writerCount)
        try copies.reopen(number)
    }

    private mutating func change(_ number: Int) throws {
        textCount += 1
        let store = copies.stores[number]
        let account = account()
        let groups = MergeCopies.groups.shuffled(using: &generator)
        do {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0:
                deviceItemCount += 1
                try store.putOnOtherDevice("bound \(deviceItemCount)", "text \(textCount)")
            case 1..<9: try store.put(account, "text \(textCount)", in: groups[0])
            case 9..<12: try store.delete(account, in: groups[0])
            case 12..<14:
                try store.rename(account, to: self.account(), in: groups[0])
            case 14..<16: try store.move(account, from: groups[0], to: groups[1])
            case 16: try compact(number)
            case 17: try store.compact(.purging(.everything))
            case 18: try store.keepHistory(Int.random(in: 0...3, using: &generator))
            default:
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: try copies.rotate(store)
                case 1: try copies.rotate(copies.opened(number))
                case 2...3: _ = try store.settleDevices()
                default: break
                }
                try copies.reopen(number)
            }
        } catch StoreError.duplicate {
            // Another item has that account, and nothing has changed.
        }
    }
}
