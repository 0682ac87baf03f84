import Foundation
import Testing
import TestSupport

/// The verbs of fleets, on machines that are processes with homes of their own.
@Suite("Verbs of fleets", .temporaryDirectory, .etcd, .waiting) struct FleetVerbTests {
    @Test func `three machines share a vault`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let fleet = "\(cluster.endpoints.joined(separator: ","))/team"
        // Deriving a key from a passphrase, some forty times, would take longer than everything else.
        let keyFile = try TemporaryDirectory.current.appending(path: "key").path
        try Data((0..<32).map { _ in UInt8.random(in: 0...255) }).write(to: URL(filePath: keyFile))
        let machines = try ["anna", "bert", "cleo"].map { name in
            try Machine(name, ["COFFER_FLEET": fleet, "COFFER_FLEET_MACHINE": name], options: ["--key-file", keyFile])
        }
        let (anna, bert, cleo) = (machines[0], machines[1], machines[2])
        try anna.run("init", "--no-prompt")
        #expect(try anna.run("fleet", "status", status: 53).errors.contains("does not have this vault"))
        try anna.run("fleet", "init")
        try anna.run("set", "mail", "kim", input: "hunter2")
        #expect(try bert.run("fleet", "join").errors.contains("bert has joined"))
        #expect(try bert.run("get", "mail").output == "hunter2")
        try cleo.run("fleet", "join")
        try bert.run("set", "web", "kim", input: "from bert")
        // Cleo reads its file, and takes in what is new before it changes anything.
        #expect(try cleo.run("get", "web", status: 44).output.isEmpty)
        try cleo.run("set", "web2", "kim", input: "from cleo")
        #expect(try cleo.run("get", "web").output == "from bert")
        #expect(try bert.run("get", "web2", status: 44).output.isEmpty)
        try bert.run("fleet", "follow", "--once")
        #expect(try bert.run("get", "web2").output == "from cleo")
        #expect(
            try anna.run("fleet", "status").output.split(separator: "\n").map { $0.prefix { $0 != "\t" } } == [
                "anna", "bert", "cleo",
            ]
        )
        let json = try anna.run("fleet", "status", "--json").output
        let status = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let behind = (status["machines"] as? [[String: Any]])?.map { $0["behind"] as? Int }
        // The first three changes are the settings and the keys of a new vault, and the first item.
        #expect(behind == [2, 0, 0] && status["change"] as? Int == 5 && status["ownChange"] as? Int == 3)
        let doctor = try anna.run("doctor").output
        #expect(doctor.contains("3 machines, 5 changes, and this machine has 3"))
        // Also of etcd 3.4.23, which Debian 12 has: what is wrong with it is worked around.
        #expect(doctor.contains("ok\tcluster\t") && !doctor.contains("warning\tcluster"), "\(doctor)")

        cluster.kill(0)
        #expect(try bert.run("fleet", "follow", "--once", status: 53).errors.contains(cluster.endpoints[0]))
        try cluster.start(0)
        try cluster.waitUntilHealthy()

        try anna.run("fleet", "leave", "bert")
        #expect(try anna.run("fleet", "leave", "bert", status: 44).errors.contains("not a machine of the fleet"))
        #expect(
            try bert.run("set", "no", "kim", input: "x", status: 53).errors.contains(
                "does not include the machine bert"
            )
        )
        #expect(try bert.run("get", "mail").output == "hunter2")
        #expect(try bert.run("doctor", status: 53).output.contains("cannot write"))
        try bert.run("fleet", "join")
        try bert.run("set", "yes", "kim", input: "x")
        try cleo.run("fleet", "leave")
        try cleo.run("set", "own", "kim", input: "x")
        #expect(try anna.run("fleet", "status").output.split(separator: "\n").count == 2)
    }

    @Test func `a machine follows, and takes a new passphrase`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let directory = try TemporaryDirectory.current
        for (name, text) in [("old", "correct horse battery"), ("new", "another one, longer")] {
            try Data(text.utf8).write(to: directory.appending(path: name))
        }
        let variables = [
            "COFFER_FLEET": cluster.endpoints[0], "COFFER_PASSPHRASE_FILE": directory.appending(path: "old").path,
        ]
        let anna = try Machine("anna", variables.merging(["COFFER_FLEET_MACHINE": "anna"]) { $1 })
        let bert = try Machine("bert", variables.merging(["COFFER_FLEET_MACHINE": "bert"]) { $1 })
        try anna.run("init", "--no-prompt")
        try anna.run("fleet", "init")
        try bert.run("fleet", "join")
        let (process, errors) = (bert.process(["fleet", "follow"]), Pipe())
        process.standardError = errors
        try bert.command.start(process)
        defer { process.terminate() }
        _ = try errors.fileHandleForReading.read(upToCount: 1)
        try anna.run("set", "mail", "kim", input: "hunter2")
        try wait { try bert.run(["get", "mail"], statuses: [0, 44]).output == "hunter2" }
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)

        let passphrase = ["--passphrase-file", directory.appending(path: "new").path]
        try anna.run(["passwd", "--new-passphrase-file"] + passphrase.suffix(1))
        try anna.run(["set", "web", "kim"] + passphrase, input: "new keys")
        #expect(try bert.run("set", "x", "kim", input: "x", status: 51).errors.contains("passphrase"))
        #expect(try bert.run("get", "mail").output == "hunter2")
        try bert.run(["set", "x", "kim"] + passphrase, input: "x")
        #expect(try bert.run(["get", "web"] + passphrase).output == "new keys")
    }

    /// A server with TLS, the authority that issued its certificate, and a machine that trusts `named`.
    private func server(trusting named: String = "ours") throws -> (EtcdCluster, TestAuthority, Machine) {
        let directory = try TemporaryDirectory.current
        let authority = try TestAuthority("ours", in: directory)
        _ = try TestAuthority("other", in: directory)
        let own = try authority.issue("server")
        let cluster = try EtcdCluster(
            1,
            in: directory,
            arguments: ["--cert-file", own.certificate, "--key-file", own.key]
        )
        let file = directory.appending(path: "\(named).pem").path
        let variables = ["COFFER_FLEET": cluster.endpoints[0], "COFFER_FLEET_CA": file]
        return (cluster, authority, try Machine("anna", variables))
    }

    @Test(.openssl)
    func `variables of TLS change nothing, and no key is written`() throws {
        let (cluster, _, anna) = try server()
        let directory = try TemporaryDirectory.current
        let keys = directory.appending(path: "keys").path
        // With this, no member of etcd could be reached.
        let settings = directory.appending(path: "openssl.cnf").path
        let text = "openssl_conf = a\n[a]\nproviders = b\n[b]\nnull = c\n[c]\nactivate = 1\n"
        try Data(text.utf8).write(to: URL(filePath: settings))
        for variables in [["SSLKEYLOGFILE": keys], ["OPENSSL_CONF": settings]] {
            let process = try Machine(anna, adding: variables)
            #expect(try process.run("fleet", "join", status: 53).errors.contains("no vault yet"), "\(variables)")
        }
        #expect(!FileManager.default.fileExists(atPath: keys))
        withExtendedLifetime(cluster) {}
    }

    @Test(.openssl)
    func `nobody is asked for the passphrase of a key`() throws {
        let (cluster, authority, anna) = try server()
        let own = try authority.issue("client")
        let encrypted = own.key + ".encrypted"
        let words = ["ec", "-in", own.key, "-aes256", "-passout", "pass:secret", "-out", encrypted]
        #expect(try anna.command.run(words, program: "/usr/bin/openssl").status == 0)
        let files = ["COFFER_FLEET_CERTIFICATE": own.certificate, "COFFER_FLEET_KEY": encrypted]
        let variables = anna.command.variables.merging(anna.variables) { $1 }.merging(files) { $1 }
        let terminal = try PseudoTerminal(anna.command.path, ["fleet", "join"], variables: variables)
        #expect(try terminal.status() == 53)
        #expect(terminal.shown.contains("client.key.encrypted") && !terminal.shown.contains("pass phrase"))
        withExtendedLifetime(cluster) {}
    }

    @Test(.openssl, .enabled(if: gnuTLS != nil, "libcurl-gnutls is not installed"))
    func `with GnuTLS a machine has a certificate, and no key is written`() throws {
        let (cluster, authority, anna) = try server()
        let own = try authority.issue("client")
        let directory = try TemporaryDirectory.current
        // The loader finds it first.
        let library = directory.appending(path: "libcurl.so.4").path
        try FileManager.default.createSymbolicLink(atPath: library, withDestinationPath: #require(Self.gnuTLS))
        let machine = try Machine(
            anna,
            adding: [
                "LD_LIBRARY_PATH": directory.path, "COFFER_FLEET_CERTIFICATE": own.certificate,
                "COFFER_FLEET_KEY": own.key,
            ]
        )
        #expect(try machine.run("fleet", "join", status: 53).errors.contains("no vault yet"))
        let keys = directory.appending(path: "keys").path
        let writing = try Machine(machine, adding: ["SSLKEYLOGFILE": keys])
        #expect(try writing.run("fleet", "join", status: 53).errors.contains("unset that variable"))
        #expect(!FileManager.default.fileExists(atPath: keys))
        withExtendedLifetime(cluster) {}
    }

    /// The libcurl with GnuTLS, where Debian has it.
    private static let gnuTLS = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/libcurl-gnutls.so.4" }
        .first { FileManager.default.fileExists(atPath: $0) }

    @Test(.openssl, .enabled(if: EtcdCluster.hasSmallDisks, "a user may not mount anything"))
    func `an authority of the system is not trusted beside the one that was named`() throws {
        let (cluster, authority, anna) = try server(trusting: "other")
        let system = try TemporaryDirectory.current.appending(path: "system").path
        // The directory of the system, in which files are called by the hash of the subject.
        let script = """
            mkdir \(system) && cp \(authority.certificate) \(system)/ours.pem && openssl rehash \(system) &&
            mount --bind \(system) /etc/ssl/certs && exec "$@"
            """
        let words = ["--map-root-user", "--mount", "sh", "-c", script, "sh", anna.command.path, "fleet", "join"]
        let result = try anna.command.run(words, program: "/usr/bin/unshare", adding: anna.variables)
        #expect(result.status == 53 && result.errors.contains("certificate"), "\(result.errors)")
        withExtendedLifetime(cluster) {}
    }

    private func wait(until isDone: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !isDone() { try #require(ContinuousClock.now < end) }
    }

    private struct Machine {
        let command: BuiltCommand
        let variables: [String: String]
        /// The last words of each call.
        var options: [String] = []

        init(_ name: String, _ variables: [String: String], options: [String] = []) throws {
            command = try BuiltCommand()
            let home = command.home.appending(path: name)
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            self.variables = variables.merging(["HOME": home.path]) { $1 }
            self.options = options
        }

        /// The same machine, with further variables.
        init(_ machine: Machine, adding more: [String: String]) throws {
            command = machine.command
            variables = machine.variables.merging(more) { $1 }
        }

        func process(_ words: [String]) -> Process { command.process(words, adding: variables) }

        @discardableResult
        func run(_ words: String..., input: String = "", status: Int32 = 0) throws -> BuiltCommand.Result {
            try run(words, input: input, statuses: [status])
        }

        @discardableResult
        func run(_ words: [String], input: String = "", statuses: [Int32] = [0]) throws -> BuiltCommand.Result {
            let result = try command.run(words + options, input: input, adding: variables)
            #expect(statuses.contains(result.status), "\(words): \(result.errors)")
            return result
        }
    }
}
