internal import CofferBasics
package import VaultFiles

/// A stream of bytes to and from another process.
package protocol SyncTransport: AnyObject {
    /// Reads what has arrived, waiting for it at most this long.
    ///
    /// - Returns: The number of bytes, 0 at the end of the stream; nil if nothing has arrived.
    func receive(into buffer: inout MutableSpan<UInt8>, timeout: Duration) throws(FileError) -> Int?

    /// Writes all bytes; a closed stream is an error, not a signal.
    func send(_ bytes: Span<UInt8>) throws(FileError)
}

/// Sends and receives messages.
package final class SyncConnection {
    /// With this line the serving side begins, so that anything else that a shell prints is not taken for a message.
    static let greeting = Array("coffer sync 1\n".utf8)
    /// The time after which a silent peer counts as gone.
    static let timeout = Duration.seconds(60)
    /// The most messages that are read after the other side has stopped reading.
    private static let lastMessageCount = 16

    private let transport: any SyncTransport
    /// The bytes that have arrived and were not read.
    private var arrived: [UInt8] = []
    /// The number of bytes that were sent and received.
    package private(set) var sentByteCount = 0
    package private(set) var receivedByteCount = 0

    package init(_ transport: any SyncTransport) {
        self.transport = transport
    }

    func send(_ message: SyncMessage) throws { try send(message.encoded) }

    func send(_ bytes: [UInt8]) throws {
        do throws(FileError) {
            try transport.send(bytes.span)
        } catch {
            throw reasonOfEnd()
        }
        sentByteCount += bytes.count
    }

    /// Why the other side has ended the connection, which it may have said before.
    private func reasonOfEnd() -> SyncFailure {
        // The other side has said little before it failed; one that goes on is not listened to for ever.
        for _ in 0..<Self.lastMessageCount {
            do {
                _ = try next()
            } catch SyncFailure.refused(let refusal, let text) {
                return .refused(refusal, text)
            } catch {
                break
            }
        }
        return .disconnected
    }

    /// Reads until `byteCount` bytes have arrived.
    private func collect(_ byteCount: Int, timeout: Duration = SyncConnection.timeout) throws {
        while arrived.count < byteCount {
            guard try readMore(timeout: timeout) else {
                throw SyncFailure.timedOut(seconds: Int(timeout.components.seconds))
            }
        }
    }

    /// Returns whether something has arrived, waiting for that at most this long.
    ///
    /// - Throws: `disconnected` at the end of the stream.
    func hasArrived(timeout: Duration) throws -> Bool {
        guard arrived.isEmpty else { return true }
        return try readMore(timeout: timeout)
    }

    private func readMore(timeout: Duration) throws -> Bool {
        var buffer = [UInt8](zeroByteCount: 65_536)
        // Why a connection has ended makes no difference.
        var span = buffer.mutableSpan
        let received = Result { () throws(FileError) in try transport.receive(into: &span, timeout: timeout) }
        guard case .success(let byteCount) = received, byteCount != 0 else { throw SyncFailure.disconnected }
        guard let byteCount else { return false }
        receivedByteCount += byteCount
        arrived.append(copying: buffer.span.extracting(..<byteCount))
        return true
    }

    /// Reads the greeting of the serving side.
    func readGreeting() throws {
        do {
            try collect(Self.greeting.count)
        } catch {
            // What came instead of a greeting says more than that it was short.
            guard error as? SyncFailure == .disconnected, !arrived.isEmpty else { throw error }
        }
        guard arrived.starts(with: Self.greeting) else { throw SyncFailure.noGreeting(Array(arrived.prefix(200))) }
        arrived.removeFirst(Self.greeting.count)
    }

    /// Returns the next message.
    ///
    /// - Throws: `refused` if the other side has failed.
    func next() throws -> SyncMessage {
        let headByteCount = 5
        try collect(headByteCount)
        let (kind, byteCount) = (arrived[0], Int(arrived.span.littleEndian(at: 1, as: UInt32.self)))
        guard byteCount <= SyncMessage.byteCountLimit else { throw SyncFailure.invalid("\(byteCount) bytes") }
        try collect(headByteCount + byteCount)
        let content = Array(arrived[headByteCount..<headByteCount + byteCount])
        arrived.removeFirst(headByteCount + byteCount)
        let message = try SyncMessage(kind: kind, content)
        if case .failed(let refusal, let text) = message { throw SyncFailure.refused(refusal, text) }
        return message
    }
}

/// Why a vault could not be carried to or from another machine.
package enum SyncFailure: Error, Equatable, Sendable {
    /// The connection ended in the middle.
    case disconnected
    /// The other side has sent nothing for this long.
    case timedOut(seconds: Int)
    /// The other side does not speak this protocol; carries the first bytes that it sent.
    case noGreeting([UInt8])
    /// The other side broke the protocol.
    case invalid(String)
    /// The other side refused, and says why; the text is not to be trusted.
    case refused(SyncRefusal, String)
}

/// Why the other side refused.
package enum SyncRefusal: UInt8, Sendable {
    /// Another reason.
    case other = 0
    /// The file is not a vault.
    case notAVault = 1
    /// The vault has changed since it was fetched.
    case changed = 2
    /// Another process uses the vault, or sends to it.
    case busy = 3
    /// The other side may only read the vault, or may not even do that.
    case denied = 4
}

extension Error {
    /// The error as it is sent to the other side.
    package var refusal: (reason: SyncRefusal, text: String) {
        switch self as any Error {
        case SyncFailure.refused(let refusal, let text): (refusal, text)
        case SyncFailure.disconnected: (.other, "the connection ended")
        case SyncFailure.timedOut(let seconds): (.other, "timed out after \(seconds) s")
        case SyncFailure.noGreeting: (.other, "no greeting")
        case SyncFailure.invalid(let what): (.other, "invalid message: \(what)")
        default: (SyncRefusal(self as? FileError), "\(self)")
        }
    }
}

extension SyncRefusal {
    fileprivate init(_ error: FileError?) {
        self =
            switch error?.reason {
            case .busy: .busy
            case .permissionDenied, .readOnlyFileSystem, .foreignOwner: .denied
            case .notARegularFile, .isDirectory: .notAVault
            default: .other
            }
    }
}
