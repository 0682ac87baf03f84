import Coffer
import Foundation
import TestSupport
import Testing

/// Eight programs that find the same token stale, and are killed.
@Suite("Refreshing in several programs", .temporaryDirectory) struct RefreshProcessTests {
    private static let programCount = 8
    private static let roundCount = 200

    private let sample: VaultSample

    init() throws {
        sample = try VaultSample()
        let keychain = try sample.created().keychain(for: AccessGroups(application: "app"))
        try keychain.add(GenericPassword(service: "token", account: "kim"), secret: "0")
    }

    private func started() throws -> WorkerProcess {
        let program = try WorkerProcess("KeychainWorker")
        let state = sample.directory.appending(path: "state").path
        try #require(try program.answer(to: "open", sample.path, state, "app") == "unlocked")
        return program
    }

    /// When a program is killed: it knows nothing yet, waits for the answer, or has just got it.
    private enum Moment: CaseIterable {
        case beforeRequest, duringRequest, afterAnswer
    }

    /// What the server has written: who asked, and who got an answer.
    private struct Log {
        let requests: [Int32]
        let answers: [Int32]

        init(_ path: String) throws {
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
                $0.split(separator: " ")
            }
            requests = lines.filter { $0[0] == "request" }.compactMap { Int32($0[1]) }
            answers = lines.filter { $0[0] == "answer" }.compactMap { Int32($0[1]) }
        }
    }

    /// Kills a program at a moment of a round, and returns its process, unless the round is over before.
    private func kill(at moment: Moment, _ log: String, _ programs: [WorkerProcess], _ number: Int) throws -> Int32? {
        var victim = programs[number].number
        if moment != .beforeRequest {
            let deadline = ContinuousClock.now + .seconds(30)
            while true {
                let seen = try Log(log)
                let wanted = moment == .duringRequest ? seen.requests : seen.answers
                if let last = wanted.last {
                    victim = last
                    break
                }
                try #require(ContinuousClock.now < deadline, "no process has asked for a new token")
                usleep(200)
            }
        }
        return Foundation.kill(victim, SIGKILL) == 0 ? victim : nil
    }

    @Test func `one asks at a time, nobody after a stored answer, and whoever dies is replaced`() throws {
        var generator = SeededGenerator(seed: 25)
        var programs = try (0..<Self.programCount).map { _ in try started() }
        var (killCount, requestCount) = (0, 0)
        for round in 0..<Self.roundCount {
            let log = sample.directory.appending(path: "log").path
            try Data().write(to: URL(filePath: log))
            for program in programs {
                let delay = Int.random(in: 0...4, using: &generator)
                try program.send(["refresh", log, "\(delay)", "\(round)", "\(round + 1)"])
            }
            var killed: Set<Int32> = []
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let moment = Moment.allCases.randomElement(using: &generator) ?? .duringRequest
                let number = Int.random(in: programs.indices, using: &generator)
                if let victim = try kill(at: moment, log, programs, number) { killed.insert(victim) }
            }
            for (number, program) in programs.enumerated() {
                if killed.contains(program.number) {
                    programs[number] = try started()
                } else {
                    #expect(try program.nextLine() == "\(round + 1)", "round \(round)")
                }
            }
            let seen = try Log(log)
            // Only a process that was killed is followed by another: no two ask at once, and none asks after an answer was
            // stored.
            let isOneByOne = seen.requests.dropLast().allSatisfy { killed.contains($0) }
            #expect(isOneByOne, "round \(round): \(seen), killed \(killed)")
            #expect(seen.requests.count <= 1 + killed.count, "round \(round)")
            #expect(!seen.requests.isEmpty)
            killCount += killed.count
            requestCount += seen.requests.count
        }
        // Otherwise this shows nothing.
        #expect(killCount > Self.roundCount / 2)
        #expect(requestCount > Self.roundCount)
        print("\(Self.roundCount) rounds, \(killCount) kills, \(requestCount) requests")
    }

    @Test func `the file with the locks is like the vault, and is not inherited`() throws {
        let program = try started()
        let log = sample.directory.appending(path: "log").path
        try Data().write(to: URL(filePath: log))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: sample.path)
        #expect(try program.answer(to: "refresh", log, "0", "0", "1") == "1")
        let path = URL(filePath: sample.path)
        let lock = path.deletingLastPathComponent().appending(path: ".\(path.lastPathComponent).refresh").path
        let attributes = try FileManager.default.attributesOfItem(atPath: lock)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(attributes[.size] as? Int == 0)
    }
}
