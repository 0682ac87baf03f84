import CofferBasics
import CofferFleet
import Dispatch
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// Machines that share a vault through a model of etcd, in virtual time.
///
/// The machines run the code of programs, on disks of their own. What happens depends on nothing but the settings.
struct FleetSimulation: Sendable {
    /// How large a simulation is, and which one.
    struct Settings: Sendable {
        var machineCount = 6
        /// How often each machine writes, reads or compacts.
        var stepCount = 12
        var seed: UInt64 = 0
    }

    static let path = "/vaults/shared.coffer"
    /// What makes a change too large for a frame.
    static let largeByteCount = 4096

    let settings: Settings
    let time: VirtualTime
    let network: SimulatedNetwork
    let history = FleetHistory()
    /// The file with which each machine begins.
    let beginning: [UInt8]
    private let roots: Keyring.Roots
    private let activeCount: Counter

    private final class Counter: Sendable {
        let count: Guarded<Int>

        init(_ count: Int) {
            self.count = Guarded(count)
        }
    }

    init(_ settings: Settings) throws {
        self.settings = settings
        activeCount = Counter(settings.machineCount)
        time = VirtualTime(seed: settings.seed)
        network = SimulatedNetwork(time, machineCount: settings.machineCount)
        let disk = SimulatedDisk(files: ["/vaults/other": []])
        let environment = Self.environment(disk, ManualTime(), seed: "vault \(settings.seed)")
        var new = try NewVault(environment: environment)
        try new.add(
            device: DeviceID(environment.random.bytes(16).span),
            key: try environment.random.key(),
            opensAll: true
        )
        roots = new.roots
        let options = Self.options(network.etcd, environment)
        try VaultStore.create(new, at: Self.path, environment: environment, options: options).share()
        beginning = disk.content(of: Self.path) ?? []
    }

    private static func environment(
        _ files: any FileSystem,
        _ time: any TimeSource,
        seed: String
    ) -> StoreEnvironment {
        var environment = StoreEnvironment(
            files: files,
            time: time,
            random: DeterministicRandom(seed: seed),
            user: 1000
        )
        environment.machineStart = nil
        return environment
    }

    private static func options(_ etcd: any EtcdStore, _ environment: StoreEnvironment) -> StoreOptions {
        var options = StoreOptions()
        options.sharedLog = {
            FleetLog(
                etcd,
                prefix: "coffer",
                vault: "\($0)",
                machine: "any",
                environment,
                frameByteCountLimit: largeByteCount
            )
        }
        return options
    }

    /// Opens the vault on a machine.
    func open(
        _ files: any FileSystem,
        _ etcd: any EtcdStore,
        _ clock: MachineClock,
        seed: String
    ) throws -> VaultStore {
        let environment = Self.environment(files, clock, seed: "\(settings.seed) \(seed)")
        return try VaultStore.open(
            at: Self.path,
            environment: environment,
            options: Self.options(etcd, environment)
        ) { _ in roots }
    }

    /// Runs all machines, and one more that takes everything in at the end.
    func run() -> FleetReport {
        time.run(
            (0...settings.machineCount).map { number in
                { turn in
                    do {
                        var machine = try SimulatedMachine(number, self, turn)
                        if number > 0 {
                            defer { leave() }
                            try machine.work()
                        }
                        try machine.settle()
                    } catch {
                        network.violate("machine \(number) gives up: \(error)")
                    }
                }
            }
        )
        return FleetReport(self)
    }

    /// Whether all machines have done their work.
    var isSettling: Bool { activeCount.count.withLock { $0 == 0 } }

    private func leave() {
        let isLast = activeCount.count.withLock { count in
            count -= 1
            return count == 0
        }
        if isLast { network.heal() }
    }
}

/// What a simulation shows.
struct FleetReport: CustomStringConvertible {
    /// What must not happen, and did.
    let violations: [String]
    let digest: UInt64
    let description: String

    init(_ simulation: FleetSimulation) {
        let (network, history, settings) = (simulation.network, simulation.history, simulation.settings)
        violations = network.violations + history.violations
        digest = simulation.time.digest
        let faults = SimulatedNetwork.Fault.allCases.map { "\($0) \(network.counts[$0, default: 0])" }
        description = """
            seed \(settings.seed), \(settings.machineCount) machines, \(simulation.time.now / 1_000_000_000) s: \
            \(history.summary), \(network.attemptCount) requests, \(faults.joined(separator: ", "))
            """
    }
}
