import Foundation
import Testing
import TestSupport

/// The verbs of fleets, on machines that are processes with homes of their own.
@Suite(
    "Verbs of fleets",
    .temporaryDirectory,
    .enabled(if: EtcdCluster.isInstalled, "etcd-server or etcd-client is not installed")
)
struct FleetVerbTests {
    @Test func `three machines share a vault`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let fleet = "\(cluster.endpoints.joined(separator: ","))/team"
        let passphrase = try TemporaryDirectory.current.appending(path: "passphrase").path
        try Data("correct horse battery".utf8).write(to: URL(filePath: passphrase))
        let machines = try ["anna", "bert", "cleo"].map { name in
            try Machine(
                name,
                ["COFFER_FLEET": fleet, "COFFER_FLEET_MACHINE": name, "COFFER_PASSPHRASE_FILE": passphrase]
            )
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
        #expect(behind == [2, 0, 0] && status["change"] as? Int == 3 && status["ownChange"] as? Int == 1)
        #expect(try anna.run("doctor").output.contains("3 machines, 3 changes, and this machine has 1"))

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

    private func wait(until isDone: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !isDone() { try #require(ContinuousClock.now < end) }
    }

    private struct Machine {
        let command: BuiltCommand
        let variables: [String: String]

        init(_ name: String, _ variables: [String: String]) throws {
            command = try BuiltCommand()
            let home = command.home.appending(path: name)
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            self.variables = variables.merging(["HOME": home.path]) { $1 }
        }

        func process(_ words: [String]) -> Process { command.process(words, adding: variables) }

        @discardableResult
        func run(_ words: String..., input: String = "", status: Int32 = 0) throws -> BuiltCommand.Result {
            try run(words, input: input, statuses: [status])
        }

        @discardableResult
        func run(_ words: [String], input: String = "", statuses: [Int32] = [0]) throws -> BuiltCommand.Result {
            let result = try command.run(words, input: input, adding: variables)
            #expect(statuses.contains(result.status), "\(words): \(result.errors)")
            return result
        }
    }
}
