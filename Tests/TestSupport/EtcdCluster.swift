package import Foundation
import Glibc

/// Members of etcd on this machine, which stop when the object goes away.
package final class EtcdCluster {
    /// Whether etcd is installed; tests that need it say so where it is not.
    package static let isInstalled = program != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/etcdctl")

    private static let program = ["/usr/bin/etcd", "/usr/local/bin/etcd"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private struct Member {
        let name: String
        let clientPort: UInt16
        let peerPort: UInt16
        /// Nil while it does not run.
        var process: pid_t?
    }

    private let directory: URL
    private var members: [Member] = []
    private let arguments: [String]

    /// The addresses of all members.
    package var endpoints: [String] { members.map { "http://127.0.0.1:\($0.clientPort)" } }

    /// Starts members, whose data is in `directory`, and waits until they have a leader.
    package init(_ count: Int, in directory: URL, arguments: [String] = []) throws {
        self.directory = directory
        self.arguments = arguments
        for number in 0..<count {
            members.append(
                Member(name: "m\(number)", clientPort: try Self.freePort(), peerPort: try Self.freePort(), process: nil)
            )
        }
        for number in members.indices { try start(number) }
        try waitUntilHealthy()
    }

    deinit {
        for number in members.indices { kill(number) }
    }

    /// Starts a member that does not run.
    package func start(_ number: Int) throws {
        guard let program = Self.program else { throw CocoaError(.fileNoSuchFile) }
        let member = members[number]
        let client = "http://127.0.0.1:\(member.clientPort)"
        let peer = "http://127.0.0.1:\(member.peerPort)"
        let cluster = members.map { "\($0.name)=http://127.0.0.1:\($0.peerPort)" }.joined(separator: ",")
        let words =
            [
                program, "--name", member.name, "--data-dir", directory.appending(path: member.name).path,
                "--listen-client-urls",
                client, "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls",
                peer, "--initial-cluster", cluster, "--log-level", "error",
            ] + arguments
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in 0..<Int32(3) { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) }
        keepOnlyStandardStreams(&actions)
        let texts = words.map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var process: pid_t = 0
        guard posix_spawn(&process, program, &actions, nil, texts, environ) == 0 else {
            throw CocoaError(.executableLoad)
        }
        members[number].process = process
    }

    /// Runs `etcdctl` with these words, for what only its operators do.
    package func control(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/etcdctl")
        process.environment = ["ETCDCTL_API": "3"]
        process.arguments = ["--endpoints", endpoints.joined(separator: ",")] + words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }

    /// Kills a member at once.
    package func kill(_ number: Int) {
        guard let process = members[number].process else { return }
        Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        members[number].process = nil
    }

    /// Waits until each running member knows a leader, at most half a minute.
    package func waitUntilHealthy() throws {
        for _ in 0..<600 {
            let running = members.filter { $0.process != nil }
            if running.allSatisfy({ isHealthy($0.clientPort) }) { return }
            usleep(50_000)
        }
        throw CocoaError(.fileReadUnknown)
    }

    /// Whether a member says that it has a leader.
    private func isHealthy(_ port: UInt16) -> Bool {
        guard let descriptor = try? Self.socket(port, connect) else { return false }
        defer { close(descriptor) }
        let request = Array("GET /health HTTP/1.0\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return false }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1024)
        while case let count = read(descriptor, &part, part.count), count > 0 { answer += part[..<count] }
        return String(decoding: answer, as: UTF8.self).contains("true")
    }

    /// A port that nobody listens on now.
    private static func freePort() throws -> UInt16 {
        let descriptor = try socket(0, bind)
        defer { close(descriptor) }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// A socket that is bound or connected to a port of this machine.
    private static func socket(
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
}
