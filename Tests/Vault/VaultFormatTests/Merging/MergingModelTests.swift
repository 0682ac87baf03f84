import TestSupport
import Testing

/// The rule of merging on a model of vaults, with the complete history of each beside it.
@Suite("The model of merging") struct MergingModelTests {
    private static let seeds: Range<UInt64> = 0..<300

    @Test func `copies become equal in every order`() {
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            let history = RandomCopies(random: &random)
            let results = (0..<6).map { _ in merged(history.copies.shuffled(using: &random), using: &random) }
            for result in results.dropFirst() {
                #expect(result.hasEqualContents(results[0]), "seed \(seed)")
            }
            #expect(results[0].live == results[0].liveByCompleteHistory, "seed \(seed)")
        }
    }

    @Test func `a copy never loses a change, nor brings one back`() {
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            for copy in RandomCopies(random: &random).copies {
                #expect(copy.live == copy.liveByCompleteHistory, "seed \(seed)")
            }
        }
    }

    @Test func `merging again changes nothing`() {
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            let copies = RandomCopies(random: &random).copies
            var once = copies[0]
            once.merge(copies[1])
            once.trim(to: RandomCopies.keptRevisions)
            var twice = once
            for other in [once, copies[0], copies[1]] {
                twice.merge(other)
                twice.trim(to: RandomCopies.keptRevisions)
            }
            #expect(twice.hasEqualContents(once), "seed \(seed)")
        }
    }

    /// Why a copy needs a writer of its own: changes under one name in two copies cancel each other.
    @Test func `copies that share a writer lose changes`() {
        let lossy = Self.seeds.count { seed in
            var random = SeededGenerator(seed: seed)
            return RandomCopies(random: &random, renewsWriters: false).copies.contains { copy in
                copy.live != copy.liveByCompleteHistory
            }
        }
        #expect(lossy > 100)
    }

    /// Merges in random pairs until one is left, some of them twice.
    private func merged(_ copies: [ModelVault], using random: inout SeededGenerator) -> ModelVault {
        var copies = copies
        while copies.count > 1 {
            let other = copies.remove(at: Int.random(in: copies.indices, using: &random))
            let target = Int.random(in: copies.indices, using: &random)
            copies[target].merge(other)
            if Bool.random(using: &random) { copies[target].merge(other) }
            copies[target].trim(to: RandomCopies.keptRevisions)
        }
        return copies[0]
    }
}

/// Three to five copies of a vault after up to 600 random changes, copies, trims and merges.
struct RandomCopies {
    static let keptRevisions = 3

    private(set) var copies: [ModelVault]

    init(random: inout SeededGenerator, renewsWriters: Bool = true) {
        let first = ModelVault(writer: random.next())
        copies = (0..<Int.random(in: 3...5, using: &random)).map { _ in
            renewsWriters ? first.copy(writer: random.next()) : first
        }
        for _ in 0..<Int.random(in: 20...600, using: &random) {
            let index = Int.random(in: copies.indices, using: &random)
            change(&copies[index], using: &random)
            switch Int.random(in: 0..<40, using: &random) {
            case 0:
                copies[index].merge(copies[Int.random(in: copies.indices, using: &random)])
                copies[index].trim(to: Self.keptRevisions)
            case 1:
                // A copy is replaced by a copy of another one, as when somebody copies the file.
                let source = copies[Int.random(in: copies.indices, using: &random)]
                copies[index] = renewsWriters ? source.copy(writer: random.next()) : source
            default: break
            }
        }
        for index in copies.indices { copies[index].trim(to: Self.keptRevisions) }
    }

    private func change(_ copy: inout ModelVault, using random: inout SeededGenerator) {
        let item = UInt64.random(in: 0..<12, using: &random)
        let group = ["mail", "web"].randomElement(using: &random) ?? "mail"
        let live = copy.groups[group]?.items[item]?.live ?? []
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<12: copy.put(item, in: group, ending: live.max(), salt: random.next())
        case 12..<15: copy.delete(item, in: group)
        case 15:
            if let loser = live.min(), live.count > 1 { copy.end(loser, of: item, in: group) }
        case 16:
            if !live.isEmpty { copy.move(item, from: group, to: group == "mail" ? "web" : "mail", salt: random.next()) }
        case 17: copy.rotate(commitment: random.next())
        default: copy.trim(to: RandomCopies.keptRevisions)
        }
    }
}
