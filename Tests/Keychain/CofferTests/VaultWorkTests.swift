import Coffer
import CofferSecurity
import Foundation
import Synchronization
import TestSupport
import Testing
import VaultStore

@Suite("Long-running work", .temporaryDirectory) struct VaultWorkTests {
    /// Signals for work that reports three steps and waits after each until it may go on.
    private final class Steps: Sendable {
        let told = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let wasStopped = Mutex(false)
    }

    private func work(_ steps: Steps) -> VaultWork<Int> {
        VaultWork { shouldContinue throws(VaultError) in
            for step in 1...3 {
                guard shouldContinue(VaultProgress(byteCount: step, expectedByteCount: 3)) else {
                    steps.wasStopped.withLock { $0 = true }
                    throw VaultError.ofStore(.cancelled)
                }
                steps.told.signal()
                steps.mayGoOn.wait()
            }
            return 7
        }
    }

    @Test func `it reports progress, then the result`() async throws {
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
        let expected: [Double] = [1.0 / 3, 2.0 / 3, 1]
        #expect(fractions == expected)
        #expect(report == 7)
    }

    // The last progress was once dropped if the work ended before a reader waited, so a progress bar stopped short of
    // its end.
    @Test func `the last progress is reported before the result, however quick the work is`() async throws {
        var fractions: [Double] = []
        for _ in 0..<100 {
            let quick = VaultWork { shouldContinue throws(VaultError) in
                shouldContinue(VaultProgress(byteCount: 1, expectedByteCount: 1))
            }
            for try await case .progress(let progress) in quick { fractions.append(progress.fraction) }
        }
        #expect(fractions == Array(repeating: 1, count: 100))
    }

    @Test func `it can run and be stopped on the caller's thread`() throws {
        let thread = ObjectIdentifier(Thread.current)
        let work = VaultWork { shouldContinue throws(VaultError) in
            for step in 1...3 where !shouldContinue(VaultProgress(byteCount: step, expectedByteCount: 3)) {
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

    @Test func `a caller can request only the report`() async throws {
        let steps = Steps()
        for _ in 0..<3 { steps.mayGoOn.signal() }
        #expect(try await work(steps).report() == 7)
    }

    @Test func `cancelling a task stops the work, and the task waits until it has stopped`() async throws {
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

    @Test func `work stops when no one waits for it any longer`() async throws {
        let (abandoned, stopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let work = VaultWork<Int> { shouldContinue throws(VaultError) in
            let progress = VaultProgress(byteCount: 1, expectedByteCount: 2)
            #expect(shouldContinue(progress))
            abandoned.wait()
            while shouldContinue(progress) {}
            stopped.signal()
            throw VaultError.ofStore(.cancelled)
        }
        for try await _ in work { break }
        abandoned.signal()
        await withCheckedContinuation { continuation in
            Thread {
                stopped.wait()
                continuation.resume()
            }.start()
        }
    }

    @Test func `work without anything to do has a fraction of zero`() {
        #expect(VaultProgress(byteCount: 0, expectedByteCount: 0).fraction == 0)
    }

    @Test func `an error ends the work`() async throws {
        let work = VaultWork<Int> { _ throws(VaultError) in throw VaultError.ofStore(.abandoned) }
        let error = await #expect(throws: VaultError.self) { try await work.report() }
        #expect(error == VaultError.ofStore(.abandoned))
    }

    // MARK: - Work on a vault

    private func filled() throws -> Vault {
        let vault = try VaultSample().created()
        for number in 0..<20 {
            try vault.keychain.add(["class": "genp", "acct": .string("\(number)"), "v_Data": data("secret")])
        }
        return vault
    }

    @Test func `a compaction shrinks the file and keeps its content`() async throws {
        let vault = try filled()
        for number in 1..<20 { try vault.keychain.delete(["class": "genp", "acct": .string("\(number)")]) }
        try vault.setHistorySettings(HistorySettings())
        let report = try await vault.compaction().report()
        #expect(report.byteCountAfter < report.byteCountBefore)
        #expect(report.byteCountAfter == (try Data(contentsOf: URL(filePath: vault.path)).count))
        #expect(report.droppedRevisionCount == 19)
        #expect(try vault.keychain.text(["class": "genp"]) == "secret")
    }

    @Test func `verifying an intact vault finds nothing`() async throws {
        let vault = try filled()
        let report = try await vault.verification().report()
        #expect(report.itemCount == 20)
        #expect(report.findings == [])
    }

    @Test func `verification reports a damaged end of the file`() async throws {
        let vault = try filled()
        try vault.damageEnd()
        let reopened = try await Vault.open(at: vault.path, with: UnlockLadder(variables: [:]), options: vault.options)
        #expect(try await reopened.verification().report().findings.map(\.kind) == [.end])
    }

    @Test func `verification reports an older file`() async throws {
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

    @Test func `verification reports damaged items`() async throws {
        let sample = try VaultSample()
        let vault = try sample.created()
        try vault.keychain.add(["class": "genp", "v_Data": .data([UInt8](repeating: 7, count: 5000))])
        try vault.store.compact()
        // The secret is near the end of the file.
        let file = try FileHandle(forUpdating: URL(filePath: sample.path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: size - 1000)
        try file.write(contentsOf: Data([1, 2, 3, 4]))
        try file.close()
        let report = try await vault.verification().report()
        // The section differs from its check, and the item in it cannot be read.
        #expect(report.findings.map(\.kind) == [.damage(itemCount: 0), .invalidItem])
    }

    // MARK: - Warnings

    @Test func `a vault that others can read causes a warning with the fix`() throws {
        let sample = try VaultSample()
        #expect(try sample.created().warnings == [])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: sample.path)
        let vault = try sample.opened()
        #expect(vault.warnings.count == 1)
        #expect(vault.warnings.first?.contains("chmod 600 \(sample.path)") == true)
        #expect(vault.readOnlyProblem == nil)
    }

    @Test func `cutting off an interrupted change causes a warning`() throws {
        let sample = try VaultSample()
        try sample.created().keychain.add(["class": "genp"])
        let file = try FileHandle(forUpdating: URL(filePath: sample.path))
        let bytes = try #require(try file.readToEnd())
        // The log ends where the zeros of the reserve begin; 100 bytes there are not a frame.
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

    @Test func `a read-only vault says why`() throws {
        let sample = try VaultSample()
        _ = try sample.created()
        var options = sample.options
        options.mayWrite = false
        let vault = try Vault.open(at: sample.path, with: UnlockLadder(variables: [:]), options: options)
        #expect(vault.readOnlyProblem?.kind == .readOnly)
        #expect(throws: KeychainError.self) { try vault.keychain.add(["class": "genp"]) }
    }

    @Test func `vaults can be created, opened and unlocked in tasks`() async throws {
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
        try vault.add(VaultProtection(recoveryCode: RecoveryCode()))
        #expect(try vault.slots.count == 2)
        let other = try VaultSample(machine: "other")
        let second = try await Vault.open(at: sample.path, with: .passphrase("right"), options: other.options)
        try second.addThisMachine()
        #expect(try second.devices.count == 2)
        let keychain = vault.keychain
        _ = try await keychain.perform { keychain throws(KeychainError) in try keychain.add(["class": "genp"]) }
        #expect(try keychain.count(["class": "genp"]) == 1)
        let caller = pthread_self()
        let isSameThread = await vault.perform { vault in
            vault.lock()
            return pthread_equal(caller, pthread_self()) != 0
        }
        #expect(!isSameThread && !vault.isUnlocked)
    }
}
