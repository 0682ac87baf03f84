import CofferBasics
import TestSupport
import VaultFiles
import VaultSync

/// One end of a connection in memory, which can be cut after a number of bytes.
final class PairedTransport: SyncTransport, Sendable {
    private let incoming: ByteQueue
    private let outgoing: ByteQueue

    private init(_ incoming: ByteQueue, _ outgoing: ByteQueue) {
        (self.incoming, self.outgoing) = (incoming, outgoing)
    }

    /// Returns the two ends of a connection, of which both directions end after `cut` bytes in all.
    static func pair(cutAfter cut: Int = .max) -> (client: PairedTransport, server: PairedTransport) {
        let budget = ByteQueue.Budget(cut)
        let (there, back) = (ByteQueue(budget), ByteQueue(budget))
        return (PairedTransport(back, there), PairedTransport(there, back))
    }

    func receive(into buffer: inout MutableSpan<UInt8>, timeout: Duration) throws(FileError) -> Int? {
        guard let bytes = incoming.take(atMost: buffer.count, timeout: timeout) else { return nil }
        buffer.copy(from: bytes.span)
        return bytes.count
    }

    func send(_ bytes: Span<UInt8>) throws(FileError) {
        guard outgoing.put(Array(copying: bytes)) else {
            throw FileError(.write, "connection", reason: .other(32))
        }
    }

    /// Ends both directions.
    func end() {
        incoming.end()
        outgoing.end()
    }
}
