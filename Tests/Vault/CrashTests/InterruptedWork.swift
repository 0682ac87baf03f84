import TestSupport
import VaultFiles

/// The work of a process on a disk, which is killed at each of its calls, or after which the power fails.
struct InterruptedWork {
    typealias Work = (SimulatedDisk, SimulatedProcess, _ acknowledge: () -> Void) throws -> Void

    /// The state after a crash.
    struct Rest {
        let disk: SimulatedDisk
        /// How many steps of the work had been acknowledged.
        let acknowledgedCount: Int
        let hasPowerFailed: Bool
    }

    private let makeDisk: () -> SimulatedDisk
    private let work: Work

    init(on makeDisk: @autoclosure @escaping () -> SimulatedDisk, _ work: @escaping Work) {
        self.makeDisk = makeDisk
        self.work = work
    }

    /// The complaints about the states that crashes leave.
    func complaints(slice: Int, sample: Int, _ complaint: (Rest) -> String?) throws -> Complaints {
        let disk = makeDisk()
        let watched = SimulatedProcess(on: disk)
        try work(disk, watched) { disk.mark("done") }
        var complaints = Complaints()
        var number = 0
        for (call, operation) in watched.operations.enumerated() {
            for isHalfway in operation == .write ? [false, true] : [false] {
                number += 1
                guard CrashScale.picks(number, in: slice, sample: sample) else { continue }
                let death = SimulatedProcess.Death(afterCall: call, halfwayThroughNext: isHalfway)
                TrialCount.note(.killPoints)
                complaints.add(complaint(rest(of: death)).map { "\(death): \($0)" })
            }
        }
        for point in disk.trace.crashPoints {
            let states = point.powerLossStates(randomSubsets: 40, seed: 4)
            for index in states.indices {
                number += 1
                guard CrashScale.picks(number, in: slice, sample: sample) else { continue }
                let disk = states[index].makeDisk()
                let rest = Rest(disk: disk, acknowledgedCount: point.labels.count, hasPowerFailed: true)
                TrialCount.note(.powerLossStates)
                complaints.add(complaint(rest).map { "\(states[index]): \($0)" })
            }
        }
        return complaints
    }

    private func rest(of death: SimulatedProcess.Death) -> Rest {
        let disk = makeDisk()
        let process = SimulatedProcess(on: disk, death: death)
        var count = 0
        // The cause of its end is known, so its error is ignored.
        try? work(disk, process) { if !process.isDead { count += 1 } }
        return Rest(disk: disk, acknowledgedCount: count, hasPowerFailed: false)
    }
}
