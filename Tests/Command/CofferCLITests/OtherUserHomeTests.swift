import Foundation
import Glibc
import TestSupport
import Testing

/// Root may run the command with the HOME of another user, as some versions of sudo do, and that user may have put
/// anything there.
@Suite(
    "The command as root, with the HOME of another user",
    .temporaryDirectory,
    .enabled(if: geteuid() == 0, "only root can become another user")
)
struct OtherUserHomeTests {
    private let command: BuiltCommand
    private let state: URL
    private let target: URL

    /// Creates the home of user 65534 with a vault.
    init() throws {
        command = try BuiltCommand()
        target = command.home.appending(path: "root's")
        state = command.home.appending(path: ".local/state/coffer")
        try Data("precious".utf8).write(to: target)
        chmod(target.path, 0o600)
        chown(command.home.path, 65534, 65534)
        #expect(try runAsOwner(["set", "mail", "kim", "-q"], input: "hunter2").status == 0)
    }

    private func runAsOwner(_ words: [String], input: String = "") throws -> BuiltCommand.Result {
        let change = ["--reuid=65534", "--regid=65534", "--clear-groups", command.path]
        return try command.run(change + words, input: input, program: "/usr/bin/setpriv")
    }

    /// Returns the files in the home that belong to root, except those of the test.
    private func filesOfRoot() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: command.home.path).filter { name in
            var status = stat()
            lstat(command.home.appending(path: name).path, &status)
            return status.st_uid == 0 && ![".input", ".output", ".errors", "root's"].contains(name)
        }
    }

    @Test func `nothing is changed, and the error says to run the program as that user`() throws {
        let result = try command.run(["set", "mail", "kim", "--force"], input: "sesame")
        #expect(result.status != 0)
        #expect(result.errors.contains("run the program as user 65534"))
        #expect(!result.errors.contains("chown"))
        #expect(try filesOfRoot() == [])
        #expect(try runAsOwner(["get", "mail"]).output == "hunter2")
    }

    @Test func `links in place of anchors and of the device key are not followed`() throws {
        let anchors = state.appending(path: "anchors")
        let anchor = try #require(try FileManager.default.contentsOfDirectory(atPath: anchors.path).first)
        for link in [anchors.appending(path: anchor), state.appending(path: "device.key")] {
            try FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
            lchown(link.path, 65534, 65534)
            _ = try command.run(["set", "mail", "kim", "--force"], input: "sesame")
            #expect(try Data(contentsOf: target) == Data("precious".utf8))
        }
        #expect(try filesOfRoot() == [])
    }

    @Test func `links in place of directories are not followed`() throws {
        let elsewhere = command.home.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
        let before = try filesOfRoot()
        for name in [".local/state/coffer", ".local/state", ".local/share/coffer", ".local"] {
            let url = command.home.appending(path: name)
            try FileManager.default.removeItem(at: url)
            try FileManager.default.createSymbolicLink(at: url, withDestinationURL: elsewhere)
            lchown(url.path, 65534, 65534)
            _ = try command.run(["init"])
            _ = try command.run(["set", "mail", "kim"], input: "sesame")
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [], "\(name)")
        }
        #expect(try filesOfRoot() == before)
    }
}
