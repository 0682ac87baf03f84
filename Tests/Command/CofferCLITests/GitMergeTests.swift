import Foundation
import TestSupport
import Testing

/// A vault in a git repository, changed in two clones and merged by the real git with `coffer helper merge`.
@Suite("Merging a vault with git", .temporaryDirectory) struct GitMergeTests {
    private let command: BuiltCommand
    private let git: String
    private let here: URL
    private let there: URL

    init() throws {
        command = try BuiltCommand()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        git = try #require(
            path.split(separator: ":").map { "\($0)/git" }.first { FileManager.default.isExecutableFile(atPath: $0) },
            "these tests require git"
        )
        (here, there) = (command.home.appending(path: "here"), command.home.appending(path: "there"))
        try run(["init", "-q", "-b", "main", here.path])
        try Data("*.coffer -text -diff merge=coffer\n".utf8).write(to: here.appending(path: ".gitattributes"))
        try coffer(["init", here.appending(path: "team.coffer").path, "--quiet"], in: here)
        try set("mail", "first", in: here)
        try commit("one", in: here)
        try run(["clone", "-q", here.path, there.path])
        // Both clones are on machines that open the vault, and remember it separately.
        let key = command.home.appending(path: "state-there/coffer")
        try FileManager.default.createDirectory(at: key, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: command.home.appending(path: "state-here/coffer/device.key"),
            to: key.appending(path: "device.key")
        )
        for clone in [here, there] {
            let driver = "'\(command.path)' merge-driver %O %A %B %L %P"
            try run(["-C", clone.path, "config", "merge.coffer.driver", driver])
        }
    }

    private func variables(_ clone: URL) -> [String: String] {
        [
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "kim", "GIT_AUTHOR_EMAIL": "kim@example.com",
            "GIT_COMMITTER_NAME": "kim", "GIT_COMMITTER_EMAIL": "kim@example.com",
            "XDG_STATE_HOME": command.home.appending(path: "state-\(clone.lastPathComponent)").path,
        ]
    }

    @discardableResult
    private func run(_ words: [String], in clone: URL? = nil) throws -> String {
        let result = try command.run(words, program: git, adding: variables(clone ?? here))
        #expect(result.status == 0, "git \(words): \(result.output)\(result.errors)")
        return result.output + result.errors
    }

    @discardableResult
    private func coffer(_ words: [String], input: String = "", in clone: URL) throws -> String {
        let vault = words[0] == "init" ? [] : ["--vault", clone.appending(path: "team.coffer").path]
        let result = try command.run(words + vault, input: input, adding: variables(clone))
        #expect(result.status == 0, "coffer \(words): \(result.errors)")
        return result.output
    }

    private func set(_ service: String, _ secret: String, in clone: URL) throws {
        try coffer(["set", service, "kim", "--force", "--quiet"], input: secret, in: clone)
    }

    private func commit(_ message: String, in clone: URL) throws {
        try run(["-C", clone.path, "add", "-A"], in: clone)
        try run(["-C", clone.path, "commit", "-q", "-m", message], in: clone)
    }

    @Test func `git merges what both clones have changed`() throws {
        try set("web", "here", in: here)
        try set("mail", "of here", in: here)
        try set("mail", "again of here", in: here)
        try commit("two", in: here)
        try set("wiki", "there", in: there)
        try set("mail", "of there", in: there)
        try commit("three", in: there)
        let output = try run(["-C", here.path, "pull", "-q", "--no-rebase", "--no-edit", there.path, "main"], in: here)
        #expect(output.contains("team.coffer: 1 item added"))
        #expect(output.contains("1 item was changed or added in both copies"))
        #expect(try run(["-C", here.path, "status", "--porcelain"], in: here) == "")
        #expect(try coffer(["get", "wiki"], in: here) == "there")
        #expect(try coffer(["get", "web"], in: here) == "here")
        // More changes win, and the other one is kept.
        #expect(try coffer(["get", "mail"], in: here) == "again of here")
        #expect(try coffer(["conflicts", "mail", "--get", "2"], in: here) == "of there")
        #expect(try coffer(["verify"], in: here).contains("intact"))
        try run(["-C", there.path, "pull", "-q", "--no-rebase", "--no-edit", here.path, "main"], in: there)
        #expect(try coffer(["list"], in: there) == coffer(["list"], in: here))
    }
}
