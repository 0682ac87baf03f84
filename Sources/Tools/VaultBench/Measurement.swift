import Foundation

/// Times of several subjects, measured in alternation so that anything that slows the machine affects all of them.
struct Measurement {
    /// The work to time, and its repetitions per turn: enough to make clock overhead negligible.
    struct Subject {
        let name: String
        let repetitions: Int
        let work: () throws -> Void
    }

    /// Returns the median time of one repetition of each subject, in nanoseconds.
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

    /// Returns the median time of one repetition of each subject, timing each repetition, in nanoseconds.
    ///
    /// Use it for work that takes long enough, with a few turns that take much longer.
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
    /// Returns the processor time that this thread uses while `work` runs.
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
    /// Returns nanoseconds on a clock that all processes of the machine share.
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
