/// A moment after a call at which the machine may stop.
package struct CrashPoint: Sendable {
    /// The call that precedes this moment.
    package let call: Int
    let image: DiskImage
    let trace: Trace

    /// The last call before the disk changes again: all calls from `call` to this one leave the same disk.
    package var lastCall: Int {
        trace.calls[call...].firstIndex { $0.isChange } ?? trace.calls.count
    }

    /// The marks made before the disk changes again: everything that they acknowledge must be there.
    package var labels: [String] { trace.labels(upTo: lastCall) }

    /// A description of the moment for people.
    var description: String { call == 0 ? "before all calls" : "after \(trace.name(ofCall: call))" }

    /// The state after all processes are killed while the machine keeps running: all calls have taken effect.
    package var killed: CrashState {
        CrashState(description: "\(description): killed") { [image] in
            image.settled(content: { image.files[$0].live }, names: { image.directories[$0].live })
        }
    }
}

extension Trace {
    /// Returns the moment after a call.
    package func crashPoint(after call: Int) -> CrashPoint {
        CrashPoint(call: call, image: image(after: call), trace: self)
    }

    /// The moments after which the disk differs: before all calls, and after each call that changed something.
    ///
    /// Each element is made on request.
    package var crashPoints: some Sequence<CrashPoint> {
        sequence(state: (next: 0, image: start)) { state -> CrashPoint? in
            guard state.next <= calls.count else { return nil }
            let point = CrashPoint(call: state.next, image: state.image, trace: self)
            repeat {
                state.next += 1
                guard state.next <= calls.count else { break }
                state.image.apply(calls[state.next - 1], number: state.next)
            } while !calls[state.next - 1].isChange
            return point
        }
    }

    /// Returns the state that is left when the processes are killed after a call.
    package func killed(after call: Int) -> CrashState {
        crashPoint(after: call).killed
    }

    /// Returns the states that may be left when the power fails after a call.
    package func powerLossStates(
        after call: Int,
        sectors: [Int] = [512, 4096],
        randomSubsets: Int = 8,
        seed: UInt64 = 0
    ) -> PowerLossStates {
        crashPoint(after: call).powerLossStates(sectors: sectors, randomSubsets: randomSubsets, seed: seed)
    }

    func name(ofCall number: Int) -> String { "call \(number) (\(calls[number - 1]))" }
}
