import CofferBasics
import Foundation
import VaultFiles

/// Runs `body` on `count` threads at once, returns when all have ended, and rethrows the error of one of them.
func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    final class Failure: Sendable {
        let error = Guarded<(any Error)?>(nil)
    }
    let failure = Failure()
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        let thread = Thread {
            defer { group.leave() }
            do {
                try body(number)
            } catch {
                failure.error.withLock { $0 = error }
            }
        }
        thread.start()
    }
    group.wait()
    if let error = failure.error.withLock({ $0 }) { throw error }
}
