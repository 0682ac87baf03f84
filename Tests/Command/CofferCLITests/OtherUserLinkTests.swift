import Foundation
import Glibc
import TestSupport
import Testing

/// In a directory such as /tmp, another user can put a link where a file is about to be created, so that root creates
/// or replaces a file of that user's choice.
@Suite(
    "Files that the command creates where another user has put a link",
    .temporaryDirectory,
    .enabled(if: geteuid() == 0, "only root can give a link away")
)
struct OtherUserLinkTests {
    private let command: BuiltCommand
    private let target: URL

    /// Creates a vault, and a directory that everybody can write to, in which another user has put links.
    init() throws {
        command = try BuiltCommand()
        target = command.home.appending(path: "target")
        let shared = command.home.appending(path: "shared")
        for directory in [target, shared] {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        }
        chmod(shared.path, 0o1777)
        for (name, destination) in [("link", "../target/new"), ("directory", "../target")] {
            let link = shared.appending(path: name).path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: destination)
            lchown(link, 65534, 65534)
        }
        #expect(try command.run(["set", "mail", "kim", "-q", "--group", "private"], input: "hunter2").status == 0)
    }

    @Test(
        arguments: [
            "export --for bitwarden -o", "export --for bitwarden --force -o",
            "salvage .local/share/coffer/login.coffer", "grant issue web private -o", "grant key",
            "slot add key-file --make --new-key-file", "sync",
        ],
        ["shared/link", "shared/directory/new"]
    )
    func `another user's link is not followed`(call: String, path: String) throws {
        let result = try command.run(call.split(separator: " ").map(String.init) + [path])
        #expect(result.errors.contains("it belongs to user 65534, not to user 0"))
        #expect(result.status != 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == [])
    }

    @Test func `backups are not made, counted or removed in a directory where another user's link leads`() throws {
        let result = try command.run(["backup", "shared/directory"])
        #expect(result.errors.contains("it belongs to user 65534, not to user 0"))
        #expect(result.status != 0)
    }

    @Test func `a backup that another user has put there does not count`() throws {
        let made = try command.run(["backup", "shared", "-q", "--this-machine-only"])
        let path = command.home.appending(path: made.output.trimmingCharacters(in: .newlines)).path
        let stem = path.dropLast("20260101T000000Z.coffer".count)
        let (own, planted) = (stem + "20200101T000000Z.coffer", stem + "20200101T235959Z.coffer")
        for copy in [own, planted] { try FileManager.default.copyItem(atPath: path, toPath: String(copy)) }
        lchown(String(planted), 65534, 65534)
        let result = try command.run(["backup", "shared", "--this-machine-only"])
        #expect(result.errors.contains("20200101T235959Z.coffer was neither counted nor removed"))
        #expect(FileManager.default.fileExists(atPath: String(own)))
    }

    /// It kept the next backup from being made, and its owner could damage it afterwards.
    @Test func `a backup that another user has put there is not the newest one`() throws {
        let made = try command.run(["backup", "shared", "-q", "--this-machine-only"])
        let path = command.home.appending(path: made.output.trimmingCharacters(in: .newlines)).path
        lchown(path, 65534, 65534)
        let planted = path.dropLast("20260101T000000Z.coffer".count) + "20200101T235959Z.coffer"
        try FileManager.default.moveItem(atPath: path, toPath: String(planted))
        let result = try command.run(["backup", "shared", "--this-machine-only"])
        #expect(result.status == 0 && !result.output.contains("20200101T235959Z"))
        #expect(!result.errors.contains("nothing has changed"))
    }

    @Test func `only a regular file is replaced`() throws {
        let pipe = command.home.appending(path: "pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let result = try command.run(["export", "--for", "bitwarden", "--force", "-o", pipe])
        #expect(result.errors.contains("pipe could not be created: it is not a regular file"))
        var status = stat()
        #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }
}
