import CofferBasics
import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat
@testable import VaultStore

/// Section 13: who may write under which id, so that two copies never use one place twice.
@Suite("Writers of the store", .temporaryDirectory) struct WriterTests {
    private func sample(start: MachineStart? = MachineStart(bytes: [UInt8](1...16))) throws -> StoreSample {
        var options = StoreOptions()
        options.anchorDirectory = try TemporaryDirectory.current.appending(path: "state/coffer").path
        return try StoreSample(
            at: TemporaryDirectory.current.appending(path: "vault.coffer").path,
            machineStart: start,
            options: options
        )
    }

    private func reopened(_ sample: StoreSample, start: MachineStart?) throws -> VaultStore {
        var environment = sample.environment
        environment.machineStart = start
        var options = StoreOptions()
        options.anchorDirectory = try TemporaryDirectory.current.appending(path: "state/coffer").path
        return try VaultStore.open(at: sample.path, environment: environment, options: options) { _ in sample.roots }
    }

    /// The origins of the puts in the log, in their order.
    private func origins(_ sample: StoreSample) throws -> [Origin] {
        let source = MemorySource(try sample.bytes())
        let opening = try VaultOpening(VaultPrelude(of: source), roots: sample.roots, random: sample.environment.random)
        var log = opening.log(in: source)
        var origins: [Origin] = []
        while let frame = try log.next() {
            for case .put(let put) in frame.records { origins.append(put.provenance.origin) }
        }
        return origins
    }

    @Test func `processes that write one file share an id, and places ascend`() throws {
        let sample = try sample()
        let start = sample.environment.machineStart
        try sample.store.add("one", "mail", "x")
        let other = try reopened(sample, start: start)
        try other.add("two", "mail", "x")
        try sample.store.compact()
        try sample.store.add("three", "mail", "x")
        try reopened(sample, start: start).add("four", "mail", "x")
        try other.add("five", "mail", "x")
        let origins = try origins(sample)
        let places = origins.map(\.place)
        #expect(places.count == 3)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Set(origins.map(\.writer)).count == 1)
    }

    @Test(arguments: ["copied", "restarted", "unknown start"])
    func `a file that may have been copied gets another id`(change: String) throws {
        let start = MachineStart(bytes: [UInt8](1...16))
        let sample = try sample(start: change == "unknown start" ? nil : start)
        try sample.store.add("one", "mail", "x")
        if change == "copied" { try sample.replaceFile(with: sample.bytes()) }
        let later = change == "restarted" ? MachineStart(bytes: [UInt8](2...17)) : sample.environment.machineStart
        try reopened(sample, start: later).add("two", "mail", "x")
        #expect(try Set(origins(sample).map(\.writer)).count == 2)
    }

    @Test func `frames that were taken back leave their places unused`() throws {
        let files = HookedFiles()
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path, files: files)
        try sample.store.add("one", "mail", "x")
        let failure = FileError(.sync, sample.path, reason: .inputOutput)
        files.setHook { operation, _ throws(FileError) in if operation == .sync { throw failure } }
        #expect(throws: StoreError.syncFailed(failure)) { try sample.store.add("two", "mail", "x") }
        files.setHook { _, _ in }
        try sample.store.add("three", "mail", "x")
        let origins = try origins(sample)
        #expect(origins.count == 2)
        #expect(Set(origins.map(\.writer)).count == 2)
    }

    @Test func `of more writers than a fence may list, the latest are remembered, and all may write`() throws {
        let sample = try sample()
        try sample.store.add("one", "mail", "x")
        let group = try #require(try sample.store.item("one", "mail")).group
        let key = try sample.store.read { vault in
            try vault.keyring.matchKeys[group].map { key in try MatchKeys(key, cipher: vault.cipher) }
        }
        let keys = try #require(key)
        // Later than anything that this test writes.
        let start: UInt64 = 1 << 60
        let writers = (0..<20_000).map { number in
            var id = [UInt8](repeating: 1, count: 8)
            (id[6], id[7]) = (UInt8(number >> 8), UInt8(number & 0xFF))
            return Origin(writer: WriterID(id.span), place: start + UInt64(number))
        }
        let records = stride(from: 0, to: writers.count, by: 8_192).map { first in
            Record.seen(Seen(Array(writers[first..<min(first + 8_192, writers.count)]), group: group, keys: keys))
        }
        try sample.append([records])
        try reopened(sample, start: nil).add("two", "mail", "x")
        let store = try reopened(sample, start: nil)
        _ = try store.compact()
        // Two, the last of all, and another 4,095.
        let origins = try #require(
            try store.read { vault in
                try vault.withSection(group) { $0.reader.fence.seen.origins }
            }
        )
        #expect(origins.count == 1 + 4_096)
        #expect(origins[0] == Origin(writer: .none, place: writers[20_000 - 4_096].place))
        #expect(origins.dropFirst().map(\.place).min() == writers[20_000 - 4_095].place)
        try reopened(sample, start: nil).add("three", "mail", "x")
        #expect(try reopened(sample, start: nil).passwords().count == 3)
        #expect(try reopened(sample, start: nil).verify().isIntact)
    }
}
