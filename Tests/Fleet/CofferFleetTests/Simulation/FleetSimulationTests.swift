import Foundation
import Testing

/// Simulated fleets: the size and the seeds come from the environment, see Spec/scaling.md.
@Suite("A simulated fleet") struct FleetSimulationTests {
    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment["COFFER_FLEET_\(name)"].flatMap(Int.init)
    }

    private static func settings(_ seed: UInt64) -> FleetSimulation.Settings {
        var settings = FleetSimulation.Settings(seed: seed)
        settings.machineCount = number("MACHINES") ?? settings.machineCount
        settings.stepCount = number("STEPS") ?? settings.stepCount
        return settings
    }

    private static let firstSeed = UInt64(number("SEED") ?? 0)

    @Test(arguments: firstSeed..<firstSeed + UInt64(number("SEEDS") ?? 10))
    func `nothing acknowledged is lost, there is one order, and replicas are equal`(seed: UInt64) throws {
        let report = try FleetSimulation(Self.settings(seed)).run()
        if Self.number("SEED") != nil { print(report) }
        #expect(report.violations == [], "\(report)")
    }

    @Test func `the same seed gives the same history`() throws {
        let digests = try [1, 1, 2].map { try FleetSimulation(FleetSimulation.Settings(seed: $0)).run().digest }
        #expect(digests[0] == digests[1] && digests[0] != digests[2])
    }
}
