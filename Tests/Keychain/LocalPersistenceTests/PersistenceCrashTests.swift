import LocalPersistence
import TestSupport
import Testing
import VaultFiles

/// The power fails or the process ends after each system call.
@Suite("Settings and documents after a crash") struct PersistenceCrashTests {
    private static let one = PersistenceKey<Int>("one")
    private static let two = PersistenceKey<String>("two")

    /// The content of a rung.
    private struct Model: Equatable {
        var one: Int?
        var two: String?
    }

    private static let models: [Model] = [
        Model(), Model(one: 1), Model(one: 2), Model(one: 2, two: "x"), Model(two: "x"), Model(one: 3, two: "x"),
        Model(one: 3),
    ]

    private func change(_ rung: any PersistenceRung, to new: Model, from old: Model) throws {
        if new.one != old.one {
            if let value = new.one { try rung.set(value, for: Self.one) } else { try rung.remove(Self.one) }
        }
        if new.two != old.two {
            if let value = new.two { try rung.set(value, for: Self.two) } else { try rung.remove(Self.two) }
        }
    }

    private func content(of rung: any PersistenceRung) throws -> Model {
        Model(one: try rung.value(for: Self.one), two: try rung.value(for: Self.two))
    }

    private func rung(_ name: String, _ disk: SimulatedDisk) throws -> any PersistenceRung {
        let app = try AppContainer.onDisk(disk)
        return name == "settings" ? app.defaults : app.archive
    }

    @Test(arguments: ["settings", "documents"], [1, 2])
    func `acknowledged changes survive, with at most the one in flight`(
        name: String,
        programCount: Int
    ) throws {
        let disk = SimulatedDisk(files: ["/home/other": []])
        // Each rung opens the files anew, like programs that take turns.
        let rungs = try (0..<programCount).map { _ in try rung(name, disk) }
        for (number, (old, new)) in zip(Self.models, Self.models.dropFirst()).enumerated() {
            try change(rungs[number % programCount], to: new, from: old)
            disk.mark("done")
        }
        var stateCount = 0
        for point in disk.trace.crashPoints {
            let done = point.labels.count
            let allowed = Self.models[done...min(done + 1, Self.models.count - 1)]
            for state in [point.killed] + Array(point.powerLossStates(randomSubsets: 20, seed: 1)) {
                stateCount += 1
                let survivor = try self.rung(name, state.makeDisk())
                let content = try content(of: survivor)
                #expect(allowed.contains(content), "\(state): \(content)")
                // Leftover files do not prevent the next change.
                try survivor.set(7, for: Self.one)
                #expect(try survivor.value(for: Self.one) == 7)
            }
        }
        #expect(stateCount > 200)
    }

    @Test(arguments: ["settings", "documents"], [FileError.Operation.create, .write, .sync, .rename])
    func `a failed change leaves the former value`(name: String, operation: FileError.Operation) throws {
        let disk = SimulatedDisk(files: ["/home/other": []])
        let rung = try rung(name, disk)
        try rung.set(1, for: Self.one)
        disk.inject(SimulatedFault(.failure(.diskFull), of: operation))
        let error = #expect(throws: PersistenceError.self) { try rung.set(2, for: Self.one) }
        guard case .file(let failure)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(failure.number == FileError.Reason.diskFull.number)
        disk.removeFaults()
        #expect(try rung.value(for: Self.one) == 1)
        try rung.set(3, for: Self.one)
        #expect(try self.rung(name, disk).value(for: Self.one) == 3)
    }
}
