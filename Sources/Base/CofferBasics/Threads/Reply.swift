/// Waits until `start` or what it has started calls its closure, and returns what that gets.
package func waiting<Value: Sendable>(_ start: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
    let reply = Reply<Value>()
    start(reply.receive)
    return reply.wait()
}

/// A value that one thread waits for.
private final class Reply<Value: Sendable>: Sendable {
    private let value = Guarded<Value?>(nil)
    private let received = Semaphore()

    @Sendable func receive(_ value: Value) {
        self.value.withLock { $0 = value }
        received.signal()
    }

    func wait() -> Value {
        while true {
            received.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}
