import CommandSystem
import CofferBasics
import Foundation
import Glibc
import TestSupport
import Testing

/// Imports of folders of `pass`, with a script in the place of gpg.
///
/// One bad entry hung the import, or failed all of it: a link to `/dev/zero` or to `/`, a pipe, a bomb.
@Suite("Password stores", .temporaryDirectory) struct PasswordStoreTests {
    private let command: BuiltCommand
    private let store: URL
    private let programs: URL

    init() throws {
        command = try BuiltCommand()
        (store, programs) = (command.home.appending(path: "store"), command.home.appending(path: "bin"))
        for url in [store, programs] {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        try Data().write(to: store.appending(path: ".gpg-id"))
        try add("good.gpg", "hunter2\nuser: kim\n")
        #expect(try command.run(["init", "-q"]).status == 0)
    }

    private func add(_ name: String, _ content: String) throws {
        try Data(content.utf8).write(to: store.appending(path: name))
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: store.appending(path: name).path,
            withDestinationPath: target
        )
    }

    /// Imports the folder, with a gpg that runs `script` for the file `$file`.
    private func `import`(_ script: String = "cat \"$file\"") throws -> BuiltCommand.Result {
        let gpg = programs.appending(path: "gpg")
        try ShellScript.write("for file; do :; done\n\(script)", to: gpg)
        let path = "\(programs.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        return try command.run(["import", store.path], adding: ["PATH": path])
    }

    @Test func `only regular files and folders are read, and all others are reported`() throws {
        for (name, target) in [("zero.gpg", "/dev/zero"), ("root", "/"), ("root.gpg", "/"), ("alias.gpg", "good.gpg")] {
            try link(name, to: target)
        }
        #expect(mkfifo(store.appending(path: "pipe.gpg").path, 0o600) == 0)
        try FileManager.default.createDirectory(at: store.appending(path: "web"), withIntermediateDirectories: true)
        try link("web/loop", to: "..")
        try add("web/site.gpg", "pw")
        let result = try `import`()
        #expect(result.output.contains("pass store, 2 records: 3 items added"), "\(result)")
        for name in ["zero.gpg", "root", "root.gpg", "alias.gpg", "pipe.gpg", "web/loop"] {
            #expect(result.errors.contains("not read: \(name): neither a regular file nor a folder\n"), "\(result)")
        }
        #expect(try command.run(["get", "good", "kim"]).output.hasPrefix("hunter2"))
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("trap '' PIPE; while :; do echo xxxxxxxxxxxxxxxx; done", "its content has more than 1,600 bytes"),
            ("yes; sleep 1000", "its content has more than 1,600 bytes"),
            ("head -c 1601 /dev/zero", "its content has more than 1,600 bytes"),
            ("trap '' PIPE; while :; do echo xxxxxxxxxxxxxxxx >&2; done", "gpg was ended"),
            ("exit 2", "gpg cannot decrypt it"), ("ulimit -c 0; kill -SEGV $$", "gpg cannot decrypt it"),
        ]
    )
    func `an entry that cannot be decrypted is left out and reported`(script: String, reason: String) throws {
        try add("bad.gpg", String(repeating: "x", count: 100))
        let result = try `import`("case $file in */bad.gpg) \(script);; *) cat \"$file\";; esac")
        #expect(result.output.contains("pass store, 1 record: 1 item added"), "\(result)")
        #expect(result.errors.contains("not read: bad: \(reason)"), "\(result)")
    }

    @Test func `a signal that stops gpg stops the import`() throws {
        let result = try `import`("kill -INT $$")
        #expect(result.errors.contains("stopped; the vault is unchanged") && result.status == SIGINT, "\(result)")
    }

    // In a process of its own, since signals of the whole process are caught meanwhile.
    @Test func `a program is killed after its time`() async {
        await #expect(processExitsWith: .success) {
            var call = ProgramCall(words: ["sleep", "1000"], removedPrefixes: [], closedDescriptors: [])
            call.timeLimit = .milliseconds(10)
            let variables: [UInt8] = []
            let outcome = try LinuxMachine().run(call, adding: variables.span, streams: nil)
            #expect(outcome == .killed)
        }
    }
}
