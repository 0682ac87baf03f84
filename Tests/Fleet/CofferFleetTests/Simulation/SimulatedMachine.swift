import CofferBasics
import CofferFleet
import Dispatch
import KeyedArchive
import StoreTestSupport
import TestSupport
import VaultFiles
import VaultFormat
import VaultStore

/// A machine of a simulated fleet: it writes, reads, compacts, crashes and starts again.
struct SimulatedMachine {
    private static let registerCount = 4
    private static let second: UInt64 = 1_000_000_000

    private let number: Int
    private let simulation: FleetSimulation
    private let turn: DispatchSemaphore
    private let clock: MachineClock
    private var generator: SeededGenerator
    private var disk: SimulatedDisk
    private var process: SimulatedProcess
    private var connection: SimulatedConnection
    private var store: VaultStore
    private var crashCount = 0
    /// How many items the replica had; it never has fewer later.
    private var itemCount = 0

    init(_ number: Int, _ simulation: FleetSimulation, _ turn: DispatchSemaphore) throws {
        (self.number, self.simulation, self.turn) = (number, simulation, turn)
        generator = SeededGenerator(seed: simulation.settings.seed &* 1_000_003 &+ UInt64(number))
        clock = MachineClock(
            simulation.time,
            turn,
            errorMicroseconds: .random(in: -60_000_000...60_000_000, using: &generator)
        )
        disk = SimulatedDisk(files: [FleetSimulation.path: simulation.beginning], keepsTrace: false)
        process = SimulatedProcess(on: disk)
        connection = SimulatedConnection(simulation.network, process, turn)
        store = try simulation.open(process, connection, clock, seed: "\(number)")
    }

    /// Takes all steps, and starts again at the end.
    mutating func work() throws {
        for step in 0..<simulation.settings.stepCount {
            pause()
            if Int.random(in: 0..<40, using: &generator) == 0 {
                process.die(afterCalls: .random(in: 0..<60, using: &generator))
            }
            do {
                try take(step)
                try look()
            } catch {
                guard connection.isCrashed else { throw error }
            }
            if connection.isCrashed { try restart() }
        }
        try restart()
    }

    /// Takes everything in, once all machines have done their work and nothing goes wrong any more.
    mutating func settle() throws {
        while !simulation.isSettling { sleep(Self.second) }
        // Late requests and partitions are over then.
        sleep(60 * Self.second)
        try store.follow()
        for register in 0..<Self.registerCount { try read(register, since: simulation.time.now) }
        if number == 0 { simulation.history.note(finalAccounts: try store.accounts()) }
        let content = disk.content(of: FleetSimulation.path) ?? []
        simulation.history.note(finalFile: Array(content[...(content.lastIndex { $0 != 0 } ?? 0)]), of: number)
    }

    // MARK: - Steps

    private mutating func take(_ step: Int) throws {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<11: write("\(number)/\(step)", isLarge: false)
        case 11: write("\(number)/\(step)", isLarge: true)
        case 12..<16: try readLatest()
        case 16..<18: compact()
        default: break
        }
    }

    private mutating func pause() {
        // Often none, so that machines meet.
        let longest = max(2, UInt64(simulation.settings.machineCount) / 12) * Self.second
        let isShort = Bool.random(using: &generator)
        sleep(.random(in: 0...(isShort ? 5_000_000 : longest), using: &generator))
    }

    private mutating func write(_ account: String, isLarge: Bool) {
        let register = Int.random(in: 0..<Self.registerCount, using: &generator)
        let start = simulation.time.now
        var outcome: FleetHistory.Outcome
        do {
            outcome = .acknowledged(try store.write(account, register: "register \(register)", isLarge: isLarge))
        } catch {
            outcome = .failed(StoreError(of: error))
        }
        if connection.isCrashed { outcome = .uncertain }
        simulation.history.note(
            FleetHistory.Write(
                account: account,
                isLarge: isLarge,
                register: register,
                start: start,
                end: simulation.time.now,
                outcome: outcome
            )
        )
    }

    /// Reads what is the latest anywhere.
    private mutating func readLatest() throws {
        let start = simulation.time.now
        do {
            try store.follow()
        } catch {
            return simulation.history.note(failure: StoreError(of: error), isCrashed: connection.isCrashed)
        }
        guard !connection.isCrashed else { return }
        try read(.random(in: 0..<Self.registerCount, using: &generator), since: start)
    }

    private func read(_ register: Int, since start: UInt64) throws {
        let value = try store.password("register \(register)")
        let read = FleetHistory.Read(register: register, value: value, start: start, end: simulation.time.now)
        simulation.history.note(read)
    }

    private func compact() {
        do {
            _ = try store.compact()
            simulation.history.noteCompaction()
        } catch {
            if case StoreError.replacedMeanwhile = error { return }
            simulation.history.note(failure: StoreError(of: error), isCrashed: connection.isCrashed)
        }
    }

    /// Reads without the network.
    private mutating func look() throws {
        let count = try store.read { vault in vault.itemCount }
        if count < itemCount {
            simulation.network.violate("machine \(number) had \(itemCount) items, and now has \(count)")
        }
        itemCount = count
    }

    private mutating func restart() throws {
        sleep(.random(in: 0...30 * Self.second, using: &generator))
        crashCount += 1
        disk = disk.afterPowerLoss(using: &generator)
        process = SimulatedProcess(on: disk)
        connection = SimulatedConnection(simulation.network, process, turn)
        store = try simulation.open(process, connection, clock, seed: "\(number) \(crashCount)")
        try look()
    }

    private func sleep(_ nanoseconds: UInt64) { simulation.time.sleep(nanoseconds: nanoseconds, turn) }
}

extension VaultStore {
    /// Adds an item, and makes it the value of a register, in one change; returns the number of the change.
    fileprivate func write(_ account: String, register: String, isLarge: Bool) throws -> UInt64 {
        let bytes = Array(account.utf8)
        let secret = isLarge ? [UInt8](repeating: 0, count: FleetSimulation.largeByteCount) : bytes
        return try largeTransaction { transaction in
            let group = transaction.vault.keyring.group(named: FleetSample.group)
            let former = try group.flatMap { group in
                try transaction.vault.items(withPrimaryKeyOf: try login(register), in: group.group).first
            }
            if let former {
                try transaction.update(former, attributes: try login(register), secret: .replace(bytes.span))
            } else {
                try transaction.addPassword(register, bytes)
            }
            try transaction.addPassword(account, secret)
        }.change
    }

    /// The accounts of all items.
    fileprivate func accounts() throws -> Set<String> {
        try read { vault in
            guard let group = vault.keyring.group(named: FleetSample.group) else { return [] }
            var accounts: Set<String> = []
            for item in try vault.items(in: group.group) {
                accounts.insert(try vault.attributes(of: item)["acct"]?.string ?? "")
            }
            return accounts
        }
    }
}

extension Transaction {
    fileprivate mutating func addPassword(_ account: String, _ bytes: [UInt8]) throws {
        _ = try add(
            try login(account),
            secret: bytes.span,
            group: FleetSample.group,
            protection: .whenUnlocked,
            owner: .none
        )
    }
}
