import Foundation

/// Times of several subjects, taken in turns so that whatever slows the machine slows all of them.
struct Measurement {
    /// What is timed, and how often in one turn: enough for the clock not to matter.
    struct Subject {
        let name: String
        let repetitions: Int
        let work: () throws -> Void
    }

    /// The median time of one repetition of each subject, in nanoseconds.
    static func medians(of subjects: [Subject], turns: Int) throws -> [Double] {
        let clock = ContinuousClock()
        var times = Array(repeating: [Double](), count: subjects.count)
        for _ in 0..<turns {
            for (index, subject) in subjects.enumerated() {
                let duration = try clock.measure {
                    for _ in 0..<subject.repetitions { try subject.work() }
                }
                times[index].append(duration.nanoseconds / Double(subject.repetitions))
            }
        }
        return times.map { $0.sorted()[$0.count / 2] }
    }

    /// The median time of one repetition of each subject, each timed by itself, in nanoseconds: for work that takes long
    /// enough, and of which a few turns take much longer.
    static func mediansOfEach(of subjects: [Subject], turns: Int) throws -> [Double] {
        let clock = ContinuousClock()
        var times = Array(repeating: [Double](), count: subjects.count)
        for _ in 0..<turns {
            for (index, subject) in subjects.enumerated() {
                for _ in 0..<subject.repetitions {
                    times[index].append(try clock.measure { try subject.work() }.nanoseconds)
                }
            }
        }
        return times.map { $0.sorted()[$0.count / 2] }
    }
}

extension Measurement {
    /// How long the processor works for this thread while `work` runs.
    static func threadMilliseconds(of work: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
        }
        let start = now()
        work()
        return now() - start
    }
}

extension Measurement {
    /// Nanoseconds on a clock that all processes of the machine share.
    static func sharedNanoseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

extension Duration {
    var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
