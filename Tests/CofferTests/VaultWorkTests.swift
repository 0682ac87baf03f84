import Coffer
import CofferSecurity
import Foundation
import Synchronization
import TestSupport
import Testing
import VaultStore

@Suite("Work that takes a while", .temporaryDirectory) struct VaultWorkTests {
    /// Work that begins when it may, tells three steps, and goes on while it is not stopped.
    private final class Steps: Sendable {
        let told = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let wasStopped = Mutex(false)
    }

    private func work(_ steps: Steps) -> VaultWork<Int> {
        VaultWork { isToGoOn throws(VaultError) in
            for step in 1...3 {
                guard isToGoOn(VaultProgress(byteCount: step, expectedByteCount: 3)) else {
                    steps.wasStopped.withLock { $0 = true }
                    throw VaultError.ofStore(.cancelled)
                }
                steps.told.signal()
                steps.mayGoOn.wait()
            }
            return 7
        }
    }

    @Test func `it tells how far it is, and at last what was done`() async throws {
        let steps = Steps()
        var fractions: [Double] = []
        var report: Int?
        for try await event in work(steps) {
            switch event {
            case .progress(let progress): fractions.append(progress.fraction)
            case .finished(let number): report = number
            }
            steps.mayGoOn.signal()
        }
        #expect(fractions == [1.0 / 3, 2.0 / 3, 1])
        #expect(report == 7)
    }

    // How far work had come at last was dropped if it ended before anybody waited, so a bar stopped short of its end.
    @Test func `however quick it is, how far it came is told before what was done`() async throws {
        var fractions: [Double] = []
        for _ in 0..<100 {
            let quick = VaultWork { isToGoOn throws(VaultError) in
                isToGoOn(VaultProgress(byteCount: 1, expectedByteCount: 1))
            }
            for try await case .progress(let progress) in quick { fractions.append(progress.fraction) }
        }
        #expect(fractions == Array(repeating: 1, count: 100))
    }

    @Test func `it can be done on the thread of who wants it, and be stopped there`() throws {
        let thread = ObjectIdentifier(Thread.current)
        let work = VaultWork { isToGoOn throws(VaultError) in
            for step in 1...3 where !isToGoOn(VaultProgress(byteCount: step, expectedByteCount: 3)) {
                throw VaultError.ofStore(.cancelled)
            }
            return ObjectIdentifier(Thread.current) == thread
        }
        var counts: [Int] = []
        let isSameThread = try work.perform { progress in
            counts.append(progress.byteCount)
            return true
        }
        #expect(isSameThread)
        #expect(counts == [1, 2, 3])
        #expect(throws: VaultError.ofStore(.cancelled)) { try work.perform { $0.byteCount < 2 } }
    }

    @Test func `who only wants the report gets it`() async throws {
        let steps = Steps()
        for _ in 0..<3 { steps.mayGoOn.signal() }
        #expect(try await work(steps).report() == 7)
    }

    @Test func `a cancelled task stops the work, and learns when it has stopped`() async throws {
        let steps = Steps()
        let work = work(steps)
        let task = Task { try await work.report() }
        await withCheckedContinuation { continuation in
            Thread {
                steps.told.wait()
                continuation.resume()
            }.start()
        }
        task.cancel()
        steps.mayGoOn.signal()
        let error = await #expect(throws: VaultError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        #expect(steps.wasStopped.withLock { $0 })
    }

    @Test func `work that nobody waits for any more stops`() async throws {
        let stopped = DispatchSemaphore(value: 0)
        let work = VaultWork<Int> { isToGoOn throws(VaultError) in
            while isToGoOn(VaultProgress(byteCount: 1, expectedByteCount: 2)) {}
            stopped.signal()
            throw VaultError.ofStore(.cancelled)
        }
        for try await _ in work { break }
        await withCheckedContinuation { continuation in
            Thread {
                stopped.wait()
                continuation.resume()
            }.start()
        }
    }

    @Test func `where nothing is to be done, nothing of it is done`() {
        #expect(VaultProgress(byteCount: 0, expectedByteCount: 0).fraction == 0)
    }

    @Test func `an error ends it`() async throws {
        let work = VaultWork<Int> { _ throws(VaultError) in throw VaultError.ofStore(.abandoned) }
        let error = await #expect(throws: VaultError.self) { try await work.report() }
        #expect(error == VaultError.ofStore(.abandoned))
    }

    // MARK: - Of a vault

    private func filled() throws -> Vault {
        let vault = try VaultSample().created()
        for number in 0..<20 {
            try vault.keychain.add(["class": "genp", "acct": .string("\(number)"), "v_Data": data("secret")])
        }
        return vault
    }

    @Test func `a compaction makes the file smaller and keeps what is in it`() async throws {
        let vault = try filled()
        for number in 1..<20 { try vault.keychain.delete(["class": "genp", "acct": .string("\(number)")]) }
        let report = try await vault.compaction().report()
        #expect(report.byteCountAfter < report.byteCountBefore)
        #expect(report.byteCountAfter == (try Data(contentsOf: URL(filePath: vault.path)).count))
        #expect(report.droppedRevisionCount == 19)
        #expect(try vault.keychain.text(["class": "genp"]) == "secret")
    }

    @Test func `a verification finds a whole vault whole`() async throws {
        let vault = try filled()
        let report = try await vault.verification().report()
        #expect(report.itemCount == 20)
        #expect(report.findings == [])
    }

    @Test func `a verification tells that the end of the file is damaged`() async throws {
        let vault = try filled()
        try vault.damageEnd()
        let reopened = try await Vault.open(at: vault.path, with: UnlockLadder(variables: [:]), options: vault.options)
        #expect(try await reopened.verification().report().findings.map(\.kind) == [.end])
    }

    @Test func `a verification tells that the file is an older one`() async throws {
        let vault = try filled()
        let older = try Data(contentsOf: URL(filePath: vault.path))
        try vault.keychain.add(["class": "genp", "acct": "later"])
        let file = try FileHandle(forUpdating: URL(filePath: vault.path))
        try file.write(contentsOf: older)
        try file.close()
        var options = vault.options
        options.acceptsRollback = true
        let reopened = try await Vault.open(at: vault.path, with: UnlockLadder(variables: [:]), options: options)
        #expect(try await reopened.verification().report().findings.map(\.kind) == [.history])
    }

    @Test func `a verification tells what is damaged`() async throws {
        let sample = try VaultSample()
        let vault = try sample.created()
        try vault.keychain.add(["class": "genp", "v_Data": .data([UInt8](repeating: 7, count: 5000))])
        try vault.store.compact()
        // The secret is what lies behind all else.
        let file = try FileHandle(forUpdating: URL(filePath: sample.path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: size - 1000)
        try file.write(contentsOf: Data([1, 2, 3, 4]))
        try file.close()
        let report = try await vault.verification().report()
        #expect(report.findings.map(\.kind) == [.damage(itemCount: 1)])
    }

    // MARK: - What to look after

    @Test func `a vault that others can read is told with what mends it`() throws {
        let sample = try VaultSample()
        #expect(try sample.created().warnings == [])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: sample.path)
        let vault = try sample.opened()
        #expect(vault.warnings.count == 1)
        #expect(vault.warnings.first?.contains("chmod 600 \(sample.path)") == true)
        #expect(vault.readOnlyProblem == nil)
    }

    @Test func `a change that was interrupted is told when it was cut off`() throws {
        let sample = try VaultSample()
        try sample.created().keychain.add(["class": "genp"])
        let file = try FileHandle(forUpdating: URL(filePath: sample.path))
        let bytes = try #require(try file.readToEnd())
        // The log ends where the zeros of the reserve begin; 100 bytes there are no frame.
        let end = (bytes.lastIndex { $0 != 0 }.map { $0 + 64 } ?? 0) & ~63
        try file.truncate(atOffset: UInt64(end))
        try file.seekToEnd()
        try file.write(contentsOf: Data(repeating: 1, count: 100))
        try file.close()
        let vault = try sample.opened()
        try vault.keychain.add(["class": "genp", "acct": "kim"])
        #expect(vault.warnings.count == 1)
        #expect(vault.warnings.first?.contains("at byte \(end)") == true)
    }

    @Test func `a vault that is only read says why`() throws {
        let sample = try VaultSample()
        _ = try sample.created()
        var options = sample.options
        options.mayWrite = false
        let vault = try Vault.open(at: sample.path, with: UnlockLadder(variables: [:]), options: options)
        #expect(vault.readOnlyProblem?.kind == .readOnly)
        #expect(throws: KeychainError.self) { try vault.keychain.add(["class": "genp"]) }
    }

    @Test func `tasks make, open and unlock vaults`() async throws {
        let sample = try VaultSample()
        _ = try await Vault.create(
            at: sample.path,
            protection: VaultProtection(passphrase: Passphrase("right")),
            options: sample.options
        )
        let ladder = UnlockLadder(variables: [:])
        let vault = try await Vault.open(at: sample.path, with: ladder, options: sample.options)
        #expect(!vault.isUnlocked)
        try await vault.unlock(with: .passphrase("right"))
        #expect(vault.isUnlocked)
        try await vault.add(VaultProtection(recoveryCode: RecoveryCode()))
        #expect(try vault.slots.count == 2)
        let other = try VaultSample(machine: "other")
        let second = try await Vault.open(at: sample.path, with: .passphrase("right"), options: other.options)
        try await second.addThisMachine()
        #expect(try second.devices.count == 2)
        let keychain = vault.keychain
        _ = try await keychain.perform { keychain throws(KeychainError) in try keychain.add(["class": "genp"]) }
        #expect(try keychain.count(["class": "genp"]) == 1)
    }
}
