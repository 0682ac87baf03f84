import CofferBasics
package import Foundation
import Glibc
package import Testing

/// Members of etcd on this machine, which stop when the object goes away.
package final class EtcdCluster {
    fileprivate static let isInstalled = ["etcd", "etcdctl"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: program($0))
    }

    /// A program of etcd; `COFFER_ETCD` names a directory with those of another version.
    private static func program(_ name: String) -> String {
        "\(ProcessInfo.processInfo.environment["COFFER_ETCD"] ?? "/usr/bin")/\(name)"
    }

    private struct Member {
        let name: String
        let clientPort: UInt16
        let peerPort: UInt16
        let healthPort: UInt16
        /// Passes what other members send to the peer port, if the member may be cut off.
        let relay: LoopbackRelay?
        /// Nil while it does not run.
        var process: pid_t?

        var peer: String { "http://127.0.0.1:\(relay?.port ?? peerPort)" }
    }

    private let directory: URL
    private var members: [Member] = []
    private let arguments: [String]
    private let firstDisk: Int?
    private let partition = EtcdPartition()

    /// The addresses of all members.
    package var endpoints: [String] { members.map { "\(scheme)://127.0.0.1:\($0.clientPort)" } }

    /// Members with a certificate take nothing but TLS from clients.
    private var scheme: String { arguments.contains("--cert-file") ? "https" : "http" }

    /// Starts members, whose data is in `directory`, and waits until they have a leader.
    ///
    /// - Parameters:
    ///   - count: How many members there are.
    ///   - directory: The directory.
    ///   - arguments: Further arguments for each.
    ///   - canBeCutOff: Whether the members reach each other through relays.
    ///   - firstDisk: How many MiB the disk of the first member has; nil for that of the directory.
    /// - Throws: The reason why they cannot be started.
    package init(
        _ count: Int,
        in directory: URL,
        arguments: [String] = [],
        canBeCutOff: Bool = false,
        firstDisk: Int? = nil
    ) throws {
        (self.directory, self.arguments, self.firstDisk) = (directory, arguments, firstDisk)
        for number in 0..<count {
            let peerPort = try Loopback.freePort()
            members.append(
                Member(
                    name: "m\(number)",
                    clientPort: try Loopback.freePort(),
                    peerPort: peerPort,
                    healthPort: try Loopback.freePort(),
                    relay: canBeCutOff ? try partition.relay(to: number, at: peerPort) : nil,
                    process: nil
                )
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
        let member = members[number]
        let client = endpoints[number]
        let cluster = members.map { "\($0.name)=\($0.peer)" }.joined(separator: ",")
        let data = directory.appending(path: member.name).path
        var words =
            [
                Self.program("etcd"), "--name", member.name, "--data-dir", data,
                "--listen-client-urls", client, "--advertise-client-urls", client,
                "--listen-peer-urls", "http://127.0.0.1:\(member.peerPort)",
                "--initial-advertise-peer-urls", member.peer,
                "--initial-cluster", cluster, "--log-level", "error",
                "--listen-metrics-urls", "http://127.0.0.1:\(member.healthPort)",
            ] + arguments
        if let firstDisk, number == 0 {
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            words =
                Self.onSmallDisk + ["mount -t tmpfs -o size=\(firstDisk)m none \(data) && exec \"$@\"", "sh"] + words
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in 0..<Int32(2) { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) }
        posix_spawn_file_actions_addopen(&actions, 2, log(of: number).path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        keepOnlyStandardStreams(&actions)
        let texts = words.map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var process: pid_t = 0
        guard posix_spawn(&process, words[0], &actions, nil, texts, environ) == 0 else {
            throw CocoaError(.executableLoad)
        }
        members[number].process = process
    }

    /// Runs `etcdctl` with these words, for what only its operators do.
    package func control(_ words: String...) throws { try control(words) }

    /// Runs `etcdctl` with these words.
    package func control(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.program("etcdctl"))
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

    /// Waits until each running member knows a leader, at most two minutes.
    package func waitUntilHealthy() throws {
        try wait {
            members.filter { $0.process != nil }.allSatisfy { Self.answer("/health", $0.healthPort).contains("true") }
        }
    }

    private func wait(until condition: () -> Bool) throws {
        for _ in 0..<2_400 {
            if condition() { return }
            usleep(50_000)
        }
        let logs = members.indices.map { (try? String(contentsOf: log(of: $0), encoding: .utf8)) ?? "" }
        throw Failure(description: "the members of etcd do not answer as expected: \(logs.map { $0.suffix(1_000) })")
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What a member has reported.
    private func log(of number: Int) -> URL { directory.appending(path: "\(members[number].name).log") }

    /// What a member answers to a request for a path.
    private static func answer(_ path: String, _ port: UInt16) -> String {
        guard let descriptor = try? Loopback.socket(port, connect) else { return "" }
        defer { close(descriptor) }
        let connection = LoopbackConnection(descriptor: descriptor)
        guard connection.write(Array("GET \(path) HTTP/1.0\r\n\r\n".utf8)) else { return "" }
        var answer: [UInt8] = []
        while let part = connection.read() { answer += part }
        return String(decoding: answer, as: UTF8.self)
    }

    // MARK: - Faults

    /// The member that leads, and that at least one other member follows.
    package func leader() throws -> Int {
        var leader: Int?
        try wait {
            leader = members.indices.first {
                Self.answer("/metrics", members[$0].healthPort).contains("\netcd_server_is_leader 1")
            }
            return leader != nil
        }
        return leader ?? 0
    }

    /// Cuts a member off from the others, while clients still reach it; nil joins all again.
    package func cutOff(_ number: Int?) { partition.cutOff.withLock { $0 = number } }

    /// Pauses a member, or lets it go on.
    package func pause(_ number: Int, _ isPaused: Bool = true) {
        if let process = members[number].process { Glibc.kill(process, isPaused ? SIGSTOP : SIGCONT) }
    }

    /// Whether a user may give a program a disk of its own.
    package static let hasSmallDisks = runs(onSmallDisk + ["mount -t tmpfs none /mnt"])

    private static let onSmallDisk = ["/usr/bin/unshare", "--map-root-user", "--mount", "sh", "-c"]

    private static func runs(_ words: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Fills the disk of the first member, which has one of its own.
    package func fillDisk() throws {
        guard let process = members[0].process else { throw CocoaError(.fileNoSuchFile) }
        let data = directory.appending(path: members[0].name).path
        let file = open("/proc/\(process)/root\(data)/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        for size in [1 << 20, 1 << 12] {
            let zeros = [UInt8](repeating: 0, count: size)
            while write(file, zeros, size) == size {}
        }
    }

    /// Whether a member has ended by itself.
    package func hasEnded(_ number: Int) -> Bool {
        guard let process = members[number].process else { return true }
        guard waitpid(process, nil, WNOHANG) == process else { return false }
        members[number].process = nil
        return true
    }
}

/// Who reaches whom in a cluster.
private final class EtcdPartition: Sendable {
    /// The member that is cut off.
    let cutOff = Guarded<Int?>(nil)
    /// The numbers of the members by their names among members.
    private let numbers = Guarded<[String: Int]>([:])

    /// A relay for what the others send to a member.
    func relay(to number: Int, at port: UInt16) throws -> LoopbackRelay {
        try LoopbackRelay(to: port) { [self] beginning in
            let names = Self.names(beginning)
            if let name = names["X-Raft-To"] { numbers.withLock { $0[name] = number } }
            return { [self] in
                let source = names["X-Server-From"].flatMap { name in numbers.withLock { $0[name] } }
                return cutOff.withLock { $0 == nil || $0 != number && $0 != source }
            }
        }
    }

    /// The headers of a request.
    private static func names(_ request: [UInt8]) -> [String: String] {
        var names: [String: String] = [:]
        for line in String(decoding: request, as: UTF8.self).split(separator: "\r\n") {
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            if parts.count == 2 { names[parts[0]] = parts[1] }
        }
        return names
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves tests out where etcd is not installed.
    package static var etcd: Self {
        .enabled(if: EtcdCluster.isInstalled, "etcd-server or etcd-client is not installed")
    }
}
