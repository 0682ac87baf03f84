import Coffer
import CofferBasics
import CofferFleet
import Foundation
import Glibc
import VaultFiles
import VaultFormat
import VaultStore

/// Changes of a fleet beside bare puts into etcd, and beside changes of a vault alone.
struct FleetBench {
    private static let roundCount = 500
    private static let machineCounts = [1, 2, 4, 8]
    private static let followerCounts = [0, 10, 50]
    /// About the size of a small frame.
    private static let value = [UInt8](repeating: 7, count: 1024)
    private static let groups = AccessGroups(application: "com.example.bench")

    let endpoints: [String]
    private let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-bench-\(UUID())")

    init(endpoints: [String]) {
        self.endpoints = endpoints
    }

    func run() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let alone = try Vault.create(at: directory.appending(path: "alone").path, options: options(nil))
        let shared = try Vault.create(at: path(of: 0), options: options(0))
        try shared.beginSharing()
        try measureOne(alone.keychain(for: Self.groups), shared.keychain(for: Self.groups))
        for count in Self.machineCounts { try measureSeveral(count) }
        for count in Self.followerCounts { try measureFollowers(count) }
    }

    private func measureOne(_ alone: Keychain, _ shared: Keychain) throws {
        let client = try client()
        var times: [(name: String, values: [Double])] = [
            ("a bare put", []), ("a change of the fleet", []), ("a change of a vault alone", []),
        ]
        let clock = ContinuousClock()
        for number in 0..<Self.roundCount {
            times[0].values.append(try clock.measure { try put(0, through: client) }.nanoseconds / 1e6)
            times[1].values.append(try clock.measure { try add(number, to: shared) }.nanoseconds / 1e6)
            times[2].values.append(try clock.measure { try add(number, to: alone) }.nanoseconds / 1e6)
        }
        print("one machine, \(Self.roundCount) of each in turn: ms, median and 99th percentile, beside those of a put")
        let puts = times[0].values.sorted()
        for (name, values) in times {
            let sorted = values.sorted()
            let figures = [sorted.count / 2, sorted.count * 99 / 100].map { index in
                String(format: "%6.2f %4.1f", sorted[index], sorted[index] / puts[index])
            }
            print("\(name): \(figures.joined(separator: "  "))")
        }
    }

    /// Measures machines that write at the same time, and as many clients that put.
    private func measureSeveral(_ count: Int) throws {
        let clients = try (0..<count).map { _ in try client() }
        let keychains = try (1...count).map { number in
            try joined(number).keychain(for: Self.groups)
        }
        let roundCount = Self.roundCount / count
        let puts = try perSecond(count, roundCount) { machine, _ in try put(machine, through: clients[machine]) }
        let changes = try perSecond(count, roundCount) { machine, number in
            try add(1000 * (10 * count + machine) + number, to: keychains[machine])
        }
        print("\(count) machines: \(String(format: "%.0f changes, %.0f bare puts", changes, puts)) per second")
    }

    /// Measures one machine that writes while others follow, and how long after the last change all have it.
    private func measureFollowers(_ count: Int) throws {
        let writer = try joined(1)
        let followers = try (0..<count).map { number in
            let vault = try joined(100 + number)
            return (vault: vault, follower: try fleet(100 + number).follow(vault))
        }
        defer { for (_, follower) in followers { follower.stop() } }
        let keychain = writer.keychain(for: Self.groups)
        let changes = try perSecond(1, Self.roundCount) { _, number in
            try add(1_000_000 * (count + 1) + number, to: keychain)
        }
        let last = try change(of: writer)
        let lag = try ContinuousClock().measure {
            while try followers.contains(where: { try change(of: $0.vault) < last }) { usleep(100) }
        }
        let figures = String(
            format: "%.0f changes per second, all have the last one %.1f ms later",
            changes,
            lag.nanoseconds / 1e6
        )
        print("1 machine that writes, \(count) that follow: \(figures)")
    }

    private func change(of vault: Vault) throws -> UInt64 { try vault.store.read { $0.position.sequence } }

    /// The vault of a machine, which joins if it has not.
    private func joined(_ machine: Int) throws -> Vault {
        let path = path(of: machine)
        if !FileManager.default.fileExists(atPath: path) { try fleet(machine).join(at: path) }
        return try Vault.open(at: path, options: options(machine))
    }

    /// Returns how often `work` can be done by several threads.
    private func perSecond(
        _ threadCount: Int,
        _ roundCount: Int,
        _ work: @escaping @Sendable (_ thread: Int, _ number: Int) throws -> Void
    ) throws -> Double {
        let failure = Guarded<(any Error)?>(nil)
        let group = DispatchGroup()
        let duration = ContinuousClock().measure {
            for thread in 0..<threadCount {
                group.enter()
                DedicatedThread.start {
                    defer { group.leave() }
                    do {
                        for number in 0..<roundCount { try work(thread, number) }
                    } catch {
                        failure.withLock { $0 = error }
                    }
                }
            }
            group.wait()
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return Double(threadCount * roundCount) / duration.nanoseconds * 1e9
    }

    private func put(_ number: Int, through client: EtcdClient) throws {
        _ = try client.transact(EtcdTransaction([.put(Array("bare\(number)".utf8), Self.value)]))
    }

    private func add(_ number: Int, to keychain: Keychain) throws {
        try keychain.add(
            GenericPassword(service: "bench", account: "account \(number)"),
            secret: "hunter2"
        )
    }

    private func client() throws -> EtcdClient {
        try EtcdClient(EtcdSettings(endpoints: endpoints), time: MachineTime())
    }

    private func fleet(_ machine: Int) throws -> Fleet {
        var fleet = try Fleet(endpoints.joined(separator: ","))
        fleet.machine = "machine\(machine)"
        return fleet
    }

    private func path(of machine: Int) -> String { directory.appending(path: "\(machine).coffer").path }

    /// The options of a machine; nil for the vault that no fleet has.
    private func options(_ machine: Int?) throws -> VaultOptions {
        let locations = VaultLocations(
            vault: nil,
            deviceKey: directory.appending(path: "device.key").path,
            anchors: directory.appending(path: "anchors\(machine ?? -1)").path
        )
        var options = VaultOptions(locations: locations)
        if let machine { try options.share(through: fleet(machine)) }
        return options
    }
}
