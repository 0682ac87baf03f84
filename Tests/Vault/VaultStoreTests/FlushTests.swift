import Foundation
import Testing
import TestSupport
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Ending a load") struct FlushTests {
    /// The frames of the vault, as any reader sees them.
    private func frames(of sample: StoreSample) throws -> [Frame] {
        let source = MemorySource(try sample.bytes())
        let prelude = try VaultPrelude(of: source)
        var log = try VaultOpening(prelude, roots: sample.roots, random: sample.environment.random).log(in: source)
        var frames: [Frame] = []
        while let frame = try log.next() { frames.append(frame) }
        return frames
    }

    private func sample(loading count: Int, durability: Durability) throws -> StoreSample {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        for number in 0..<count {
            try sample.store.transaction(durability: durability) { transaction in
                _ = try transaction.addLogin("account \(number)", "service", "secret")
            }
        }
        return sample
    }

    @Test(.temporaryDirectory) func `a frame without changes marks the load as durable`() throws {
        let sample = try sample(loading: 3, durability: .relaxed)
        #expect(try frames(of: sample).map(\.syncedSequence) == [0, 0, 0])
        try sample.store.flush()
        let frames = try frames(of: sample)
        #expect(frames.map(\.syncedSequence) == [0, 0, 0, 3])
        #expect(frames.last?.records == [])
        #expect(try sample.reopened().passwords().count == 3)
    }

    @Test(.temporaryDirectory) func `if everything is durable, nothing is written`() throws {
        let sample = try sample(loading: 2, durability: .full)
        try sample.store.flush()
        #expect(try frames(of: sample).count == 2)
    }

    @Test(.temporaryDirectory) func `changes continue after the end of a load`() throws {
        let sample = try sample(loading: 2, durability: .relaxed)
        try sample.store.flush()
        try sample.store.transaction { transaction in
            _ = try transaction.addLogin("late", "service", "secret")
        }
        #expect(try frames(of: sample).map(\.sequence) == [1, 2, 3, 4])
        #expect(try frames(of: sample).last?.syncedSequence == 3)
        #expect(try sample.reopened().passwords().count == 3)
    }
}
