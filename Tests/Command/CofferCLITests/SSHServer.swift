import Foundation
import TestSupport
import Testing

/// A real ssh server on this machine, which serves one test: each login runs commands with the home of another machine.
final class SSHServer {
    /// Whether the programs of OpenSSH are there.
    static let isInstalled = ["/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/ssh-keygen"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The home of the machine that serves.
    let otherHome: URL
    private let command: BuiltCommand
    private let directory: URL
    private let process: SpawnedProcess

    init(_ command: BuiltCommand) throws {
        self.command = command
        otherHome = command.home.appending(path: "other")
        directory = command.home.appending(path: "ssh")
        let bin = command.home.appending(path: "bin")
        for directory in [otherHome, directory, bin] {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: bin.appending(path: "coffer").path,
            withDestinationPath: command.path
        )
        for name in ["host", "user"] {
            let words = ["-q", "-t", "ed25519", "-N", "", "-f", directory.appending(path: name).path]
            #expect(try command.run(words, program: "/usr/bin/ssh-keygen").status == 0)
        }
        try FileManager.default.copyItem(
            at: directory.appending(path: "user.pub"),
            to: directory.appending(path: "authorized_keys")
        )
        // A root that separates privileges needs this directory.
        if getuid() == 0 {
            try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
        }
        let port = try Self.freePort()
        let force = "env HOME=\(otherHome.path) PATH=\(bin.path):/usr/bin:/bin sh -c \"$SSH_ORIGINAL_COMMAND\""
        let server = """
            ListenAddress 127.0.0.1
            Port \(port)
            HostKey \(directory.path)/host
            PidFile none
            UsePAM no
            StrictModes no
            PasswordAuthentication no
            MaxStartups 100
            AuthorizedKeysFile \(directory.path)/authorized_keys
            ForceCommand \(force)
            """
        try Data(server.utf8).write(to: directory.appending(path: "sshd_config"))
        let client = """
            Host desk
              HostName 127.0.0.1
              Port \(port)
              IdentityFile \(directory.path)/user
              IdentitiesOnly yes
              UserKnownHostsFile \(directory.path)/known_hosts
              StrictHostKeyChecking accept-new
              LogLevel ERROR
            """
        try Data(client.utf8).write(to: directory.appending(path: "ssh_config"))
        process = try SpawnedProcess(
            "/usr/sbin/sshd",
            ["-D", "-e", "-f", directory.appending(path: "sshd_config").path],
            variables: command.variables,
            streams: ["/dev/null", "/dev/null", directory.appending(path: "log").path]
        )
        try script("ssh", "exec /usr/bin/ssh -F '\(directory.path)/ssh_config' \"$@\"")
        // The connection is cut after a number of bytes, in one direction or the other.
        try script(
            "cut-output",
            """
            exec 3<&0
            {
                '\(directory.path)/run-ssh' "$@" <&3 & echo $! > "$0.$$"
                wait
            } | {
                dd bs=1 count="$SSH_CUT" status=none
                kill "$(cat "$0.$$")"
            }
            """
        )
        try script("cut-input", "dd bs=1 count=\"$SSH_CUT\" status=none | '\(directory.path)/run-ssh' \"$@\"")
        try waitForListening()
    }

    deinit {
        process.end(by: SIGTERM)
        _ = process.end()
    }

    private func script(_ name: String, _ line: String) throws {
        try ShellScript.write(line, to: directory.appending(path: "run-\(name)"))
    }

    private func waitForListening() throws {
        for _ in 0..<200 {
            let log = (try? String(contentsOf: directory.appending(path: "log"), encoding: .utf8)) ?? ""
            if log.contains("Server listening") { return }
            try #require(!process.hasEnded, "sshd: \(log)")
            usleep(50_000)
        }
        Issue.record("sshd does not listen")
    }

    /// A port that is free now.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var byteCount = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, byteCount) == 0 && getsockname(descriptor, address, &byteCount) == 0
            }
        }
        try #require(isBound)
        return UInt16(bigEndian: address.sin_port)
    }

    /// Runs the command over this server, with a connection that is perhaps cut.
    func run(_ words: [String], through script: String = "ssh", cutAfter byteCount: Int = 0) throws
        -> BuiltCommand.Result
    {
        try command.run(
            words,
            adding: [
                "COFFER_SSH": directory.appending(path: "run-\(script)").path, "SSH_CUT": "\(byteCount)",
            ]
        )
    }
}
