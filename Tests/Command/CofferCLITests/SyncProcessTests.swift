import Foundation
import TestSupport
import Testing

/// Two machines with a real ssh between them; the vault opens with the key of the machine, which both have.
@Suite("Syncing over ssh", .temporaryDirectory, .enabled(if: SSHServer.isInstalled)) struct SyncProcessTests {
    private let command: BuiltCommand
    private let server: SSHServer
    private static let state = ".local/state/coffer"
    private static let address = "ssh://desk"

    init() throws {
        command = try BuiltCommand()
        server = try SSHServer(command)
        try store("mail", "first")
        #expect(try server.run(["sync", "--this-machine-only", Self.address]).output == "ssh://desk: created\n")
        let key = server.otherHome.appending(path: Self.state)
        try FileManager.default.createDirectory(at: key, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: command.home.appending(path: "\(Self.state)/device.key"),
            to: key.appending(path: "device.key")
        )
    }

    private func there(_ words: [String], input: String = "") throws -> BuiltCommand.Result {
        try command.run(words, input: input, adding: ["HOME": server.otherHome.path])
    }

    private func store(_ service: String, _ secret: String, isThere: Bool = false) throws {
        let words = ["set", service, "kim", "--force", "--quiet"]
        let result = try isThere ? there(words, input: secret) : command.run(words, input: secret)
        try #require(result.status == 0, "\(result.errors)")
    }

    @Test func `both machines get what the other one has`() throws {
        try store("web", "here")
        try store("wiki", "there", isThere: true)
        let result = try server.run(["sync", Self.address])
        #expect(result.output == "from ssh://desk: 1 item added\nto ssh://desk: 1 item added\n", "\(result.errors)")
        #expect(try command.run(["get", "wiki"]).output == "there")
        #expect(try there(["get", "web"]).output == "here")
    }

    @Test func `a host without the command, and one that cannot be reached, are told`() throws {
        let absent = try server.run(["sync", "ssh://absent.invalid"])
        #expect(absent.status == 53)
        #expect(absent.errors.contains("no connection to ssh://absent.invalid"))
        try FileManager.default.removeItem(at: command.home.appending(path: "bin/coffer"))
        let bare = try server.run(["sync", Self.address])
        #expect(bare.status == 53)
        #expect(bare.errors.contains("ssh://desk has no command `coffer`"))
    }

    /// After each cut both vaults are intact, and the next sync brings both to the same items.
    @Test func `a connection that is cut anywhere damages nothing`() throws {
        let count = Int(ProcessInfo.processInfo.environment["COFFER_SSH_CUTS"] ?? "") ?? 6
        var generator = SeededGenerator(seed: UInt64(count))
        var failureCount = 0
        for round in 0..<count {
            let secret = String(repeating: "\(round) ", count: 5000)
            try store("here\(round % 7)", secret)
            try store("there\(round % 5)", secret, isThere: true)
            let byteCount = Int.random(in: 1...30_000, using: &generator)
            let script = Bool.random(using: &generator) ? "cut-output" : "cut-input"
            let result = try server.run(["sync", Self.address], through: script, cutAfter: byteCount)
            if result.status != 0 {
                failureCount += 1
                #expect(result.status == 53, "\(script) \(byteCount): \(result.errors)")
            }
            #expect(try command.run(["verify"]).status == 0, "\(script) \(byteCount)")
            #expect(try there(["verify"]).status == 0, "\(script) \(byteCount)")
            if round % 3 == 2 { #expect(try server.run(["sync", Self.address]).status == 0) }
        }
        #expect(failureCount > count / 3)
        let last = try server.run(["sync", Self.address])
        #expect(last.status == 0, "\(last.errors)")
        for service in (0..<min(count, 7)).map({ "here\($0)" }) + (0..<min(count, 5)).map({ "there\($0)" }) {
            let (here, there) = (try command.run(["get", service]), try there(["get", service]))
            #expect(here == there && here.status == 0, "\(service)")
        }
        #expect(
            try server.run(["sync", Self.address]).output
                == "from ssh://desk: nothing to merge\nto ssh://desk: nothing to merge\n"
        )
    }
}
