import CofferBasics
import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

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
        #expect(origins.map(\.place) == [3, 4, 5].map { Origin.place(sequence: $0, record: 0) })
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

    @Test func `the last writer that readers allow may write, and one more is refused`() throws {
        let sample = try sample()
        try sample.store.add("one", "mail", "x")
        let group = try #require(try sample.store.item("one", "mail")).group
        // Another 262,142 writers leave room for one besides that of the first item.
        var seen = SeenPlaces()
        for number in 1...262_142 {
            let id = [0, 0, 0, 0, 0, number >> 16, number >> 8, number].map { UInt8(truncatingIfNeeded: $0) }
            seen.insert(Origin(writer: WriterID(id.span), place: 1))
        }
        let keys = try sample.store.read { vault in
            try vault.keyring.matchKeys[group].map { key in try MatchKeys(key, cipher: vault.cipher) }
        }
        try sample.append([[.seen(Seen(seen, group: group, keys: #require(keys)))]])
        try reopened(sample, start: nil).add("two", "mail", "x")
        let third = try reopened(sample, start: nil)
        let before = try sample.bytes()
        #expect(throws: StoreError.refused(.limitExceeded(.writers, value: 262_145))) {
            try third.add("three", "mail", "x")
        }
        #expect(try sample.bytes() == before)
        #expect(try third.item("two", "mail") != nil)
    }
}
