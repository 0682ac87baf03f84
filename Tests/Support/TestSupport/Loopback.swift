import CofferBasics
import Foundation
import Glibc

/// Sockets of this machine's loopback address.
enum Loopback {
    /// A socket that is bound or connected to a port; 0 for any.
    static func socket(
        _ port: UInt16,
        _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
    ) throws -> Int32 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw CocoaError(.fileReadUnknown)
        }
        return descriptor
    }

    /// The port of a socket.
    static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private static let givenPorts = Guarded<Set<UInt16>>([])

    /// A free port that was not returned before.
    static func freePort() throws -> UInt16 {
        for _ in 0..<100 {
            // The system takes those from 32768 on for connections.
            let port = UInt16.random(in: 10_000..<32_000)
            guard givenPorts.withLock({ $0.insert(port).inserted }) else { continue }
            guard let descriptor = try? socket(port, bind) else { continue }
            close(descriptor)
            return port
        }
        throw CocoaError(.fileReadUnknown)
    }
}

/// A connection of a test's server.
package struct LoopbackConnection: Sendable {
    let descriptor: Int32

    /// The next bytes, at most 64 KiB; nil at the end.
    package func read() -> [UInt8]? {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(descriptor, &part, part.count)
        return count > 0 ? Array(part[..<count]) : nil
    }

    /// Sends bytes, and returns false if the other side has gone.
    package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// A server on this machine, until the object goes away, with a thread for each connection.
package final class LoopbackServer: Sendable {
    package let port: UInt16
    private let listener: Int32

    /// Starts a server.
    ///
    /// - Parameter serve: Serves a connection, which is closed afterwards; returns false to end the server.
    /// - Throws: The reason why it cannot be started.
    package init(_ serve: @escaping @Sendable (LoopbackConnection) -> Bool) throws {
        let listener = try Loopback.socket(0, bind)
        (self.listener, port) = (listener, Loopback.port(of: listener))
        listen(listener, 128)
        DedicatedThread.start {
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                DedicatedThread.start {
                    if !serve(LoopbackConnection(descriptor: descriptor)) { shutdown(listener, Int32(SHUT_RDWR)) }
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// Passes connections to a server on another port of this machine, and the answers back.
package final class LoopbackRelay: Sendable {
    private let server: LoopbackServer

    package var port: UInt16 { server.port }

    /// Starts a relay.
    ///
    /// - Parameters:
    ///   - port: The port of the server.
    ///   - admit: Takes the first bytes of a connection, and returns what says whether more may pass; if not, the
    ///     connection ends.
    /// - Throws: The reason why it cannot be started.
    package init(to port: UInt16, admit: @escaping @Sendable ([UInt8]) -> () -> Bool) throws {
        server = try LoopbackServer { connection in
            guard let beginning = connection.read(), let descriptor = try? Loopback.socket(port, connect) else {
                return true
            }
            defer { close(descriptor) }
            let other = LoopbackConnection(descriptor: descriptor)
            let mayPass = admit(beginning)
            guard mayPass(), other.write(beginning) else { return true }
            var both = [connection, other].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            while poll(&both, 2, -1) > 0 {
                for (number, source, target) in [(0, connection, other), (1, other, connection)]
                where both[number].revents != 0 {
                    guard let part = source.read(), mayPass(), target.write(part) else { return true }
                }
            }
            return true
        }
    }
}
