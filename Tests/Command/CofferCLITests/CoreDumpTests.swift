import CofferCLI
import Foundation
import Glibc
import TestSupport
import Testing

/// A core dump of the command would contain secrets, and so would memory read by a debugger of the same user.
@Suite("Memory of the command", .temporaryDirectory) struct CoreDumpTests {
    private let command: BuiltCommand
    private let home: URL

    init() throws {
        command = try BuiltCommand()
        home = command.home
        try Data("{{ coffer:mail }}".utf8).write(to: home.appending(path: "template"))
    }

    // MARK: - Dumps

    /// The arguments of each verb that opens a vault, without those that open it.
    private static let calls: [String: [String]] = [
        "set": ["mail", "kim", "--force"], "get": ["mail"], "show": ["mail"], "list": [], "rm": ["mail", "--force"],
        "find": ["mail"], "edit": ["mail"], "otp": ["mail"], "open": ["mail"], "audit": [],
        "mv": ["mail", "post"], "inject": ["template"],
        "generate": ["--set", "web", "kim"], "history": ["mail"], "undo": ["mail"],
        "purge": ["--force"], "init": ["--vault", "new.coffer"],
        "unlock": ["--for", "1s"], "passwd": ["--new-passphrase-file", "passphrase"], "key add": ["recovery-code"],
        "grant issue": ["web", "web", "-o", "web.credential"], "grant list": [], "grant revoke": ["web"],
        "key remove": ["2", "--force"], "compact": [],
        "sync": [".local/share/coffer/login.coffer"], "backup": ["."],
        "conflicts": [],
        "helper merge": ["none", ".local/share/coffer/login.coffer", ".local/share/coffer/login.coffer"],
        "salvage": [".local/share/coffer/login.coffer", "new.coffer"],
        "exec": ["--env", "P=mail", "--", "true"], "helper git": ["get"], "helper docker": ["get"],
        "helper cargo": [], "helper aws": ["mail"], "helper kubectl": ["mail"],
        "helper askpass": ["Password for 'https://kim@example.com': "], "status": [], "doctor": [], "verify": [],
        "security add-generic-password": ["-s", "mail", "-a", "sally", "-w", "x"],
        "security find-generic-password": ["-s", "mail", "-w"], "security delete-generic-password": ["-s", "mail"],
        "security add-internet-password": ["-s", "mail", "-a", "kim", "-w", "x"],
        "security find-internet-password": ["-s", "mail"],
        "security delete-internet-password": ["-s", "mail"], "security dump-keychain": ["-d"],
        "security create-keychain": ["new.keychain"],
        "security unlock-keychain": [], "security set-keychain-password": [], "import": [certificate], "export": [],
        "security find-certificate": [], "security find-identity": [],
        "security verify-cert": ["-c", certificate, "-k", ".local/share/coffer/login.coffer"],
    ]
    private static let certificate = Repository.root.appending(path: "Fixtures/x509/chain_root.der").path
    /// Verbs that do not open a vault, end unless one is already unlocked, or need another machine.
    private static let othersNames: Set<String> = [
        "browse", "lock", "key list", "grant key", "entitlements", "security delete-keychain",
        "security lock-keychain", "fleet init", "fleet join", "fleet status", "fleet follow", "fleet leave",
        "security show-keychain-info", "security list-keychains", "security default-keychain", "security error",
        "swift", "completions", "help",
    ]

    @Test func `each verb that has secrets in its memory is tested`() {
        #expect(Set(VerbTable.names) == Set(Self.calls.keys).union(Self.othersNames))
    }

    /// Whether this machine writes core dumps.
    private static let dumps: Bool = {
        let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let script = "cd \"$HOME\" && ulimit -c unlimited && kill -QUIT $$"
        let process = try? SpawnedProcess("/bin/sh", ["-c", script], variables: ["HOME": directory.path])
        return process?.end().isDumped ?? false
    }()

    // When the signal comes, the process has read the passphrase and waits for more of it. Swift's runtime library
    // handles the first of these signals by printing memory, if it may; it does not handle the second.
    @Test(.enabled(if: dumps, "this machine does not write core dumps"), arguments: [SIGABRT, SIGXCPU])
    func `a signal that ends a verb leaves no core dump`(signal: Int32) throws {
        try CommandSample.makeVault()
        let pipe = home.appending(path: "pipe").path
        try #require(mkfifo(pipe, 0o600) == 0)
        try Data("example.com".utf8).write(to: home.appending(path: "input"))
        try Data("protocol=https\nhost=example.com\n\n".utf8).write(to: home.appending(path: "helper git.input"))
        let request = #"{"v":1,"kind":"get","registry":{"index-url":"u"}}"#
        try Data(request.utf8).write(to: home.appending(path: "helper cargo.input"))
        for (verb, words) in Self.calls {
            let status = try ended(by: signal, verb, words, readingFrom: pipe)
            #expect(status.signal == signal, "\(verb) ended before the signal: \(status)")
            #expect(!status.isDumped, "\(verb)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
        #expect(!names.contains { $0.hasPrefix("core") })
    }

    /// Stops a verb while it reads the passphrase, and returns its status.
    private func ended(
        by signal: Int32,
        _ verb: String,
        _ words: [String],
        readingFrom pipe: String
    ) throws -> SpawnedProcess.Status {
        let input = ["helper git", "helper cargo"].contains(verb) ? "\"\(verb).input\"" : "input"
        let script = "cd \"$HOME\" && ulimit -c unlimited && exec \"$0\" \"$@\" <\(input)"
        let given = ["--passphrase-file", pipe, "--no-prompt"]
        let process = try SpawnedProcess(
            "/bin/sh",
            ["-c", script, command.path] + verb.split(separator: " ").map(String.init) + given + words,
            variables: command.variables
        )
        let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
        let secret = Array("correct horse".utf8)
        #expect(write(descriptor, secret, secret.count) == secret.count)
        var leftCount: Int32 = 1
        while leftCount > 0, !process.hasEnded { _ = ioctl(descriptor, UInt(FIONREAD), &leftCount) }
        process.end(by: signal)
        // If the signal did not end the process, the end of its input does.
        close(descriptor)
        return process.end()
    }

    // MARK: - As another user than root

    /// Runs a shell script, with the command as `$0`, as a user who is not root.
    private func asUser(_ script: String, _ words: [String] = []) throws -> BuiltCommand.Result {
        let shell = ["/bin/sh", "-c", script, command.path] + words
        guard geteuid() == 0 else { return try command.run(Array(shell.dropFirst()), program: shell[0]) }
        for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: home.path)) {
            lchown(home.appending(path: name).path, 65534, 65534)
        }
        let change = ["--reuid=65534", "--regid=65534", "--clear-groups"]
        return try command.run(change + shell, program: "/usr/bin/setpriv")
    }

    /// The files in `/proc` that belong to root, the memory among them, cannot be read by the user of the process.
    @Test func `the same user cannot read the memory of the command, but that of programs that it runs`() throws {
        let script = """
            set -e
            echo hunter2 | "$0" set mail kim -q
            mkfifo pipe
            "$0" set mail sally -q <pipe & exec 3>pipe
            while [ "$(readlink /proc/$!/exe)" = "$(readlink /proc/$$/exe)" ]; do :; done
            until [ "$(stat -c %u /proc/$!/maps)" = 0 ]; do [ -d /proc/$! ] || exit 9; done
            if cat /proc/$!/environ >&- 2>&-; then echo environ; fi
            if head -c 1 /proc/$!/mem >&- 2>&-; then echo memory; fi
            if ls /proc/$!/fd >&- 2>&-; then echo files; fi
            exec 3>&-; kill $! || :; wait $! || :
            "$0" exec --env P=mail -- sh -c 'ls /proc/$$/fd >/dev/null && echo $P'
            "$0" exec --mask --env P=mail -- sh -c 'ls /proc/$$/fd >/dev/null && echo ok'
            """
        let result = try asUser("timeout 30 sh -c '\(script.replacing("'", with: #"'\''"#))' \"$0\"")
        #expect(result.output == "hunter2\nok\n")
    }

    @Test func `the command works without access to its own process`() throws {
        let script = #"""
            set -e
            export COFFER_PASSPHRASE_FILE=$PWD/passphrase
            "$0" get mail
            timeout 20 "$0" watch >watched & watcher=$!
            "$0" exec --env P=mail -- sh -c 'echo $P'
            "$0" exec --file F=mail -- sh -c 'cat "$F"; echo; sh -c "cat \"$F\""; echo'
            "$0" exec --mask --file F=mail -- sh -c 'wc -c <"$F"; sh -c "wc -c <\"$F\""; cat "$F"; echo'
            "$0" compact -q >&2
            "$0" verify >&2
            "$0" doctor >&2
            i=0; until [ -s watched ]; do i=$((i + 1)); echo $i | "$0" set "other $i" kim -q; done
            kill $watcher
            """#
        try CommandSample.makeVault()
        let result = try asUser(script)
        #expect(result.output == "hunter2hunter2\nhunter2\nhunter2\n7\n7\n****\n")
        #expect(result.status == 0)
    }

    // MARK: - Limits

    @Test(arguments: [[], ["--mask"]])
    func `a program run by exec gets the original core dump limit`(options: [String]) throws {
        #expect(try command.run(["set", "mail", "kim", "-q"], input: "hunter2").status == 0)
        for limit in ["0", "7", "unlimited"] {
            let words = ["exec"] + options + ["--env", "P=mail", "--", "bash", "-c", "ulimit -c"]
            let result = try command.run(
                ["-c", "ulimit -S -c \(limit) && exec \"$0\" \"$@\"", command.path] + words,
                program: "/bin/bash"
            )
            #expect(result.output == "\(limit)\n")
        }
    }

    @Test func `a passphrase command gets the original core dump limit`() throws {
        try CommandSample.makeVault()
        let words = ["-c", "ulimit -S -c 7 && exec \"$0\" get mail", command.path]
        let source = "bash -c 'ulimit -c' >limit; cat passphrase"
        let result = try command.run(words, program: "/bin/bash", adding: ["COFFER_PASSPHRASE_COMMAND": source])
        #expect(result.output == "hunter2")
        #expect(try String(contentsOf: home.appending(path: "limit"), encoding: .utf8) == "7\n")
    }

    @Test func `while the command runs, its soft limit is zero and its hard limit is unchanged`() throws {
        let process = command.process(["set", "mail", "kim", "-q"])
        let input = Pipe()
        process.standardInput = input
        try command.start(process)
        var line: String?
        while process.isRunning, line?.contains(" 0 ") != true {
            let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/limits", encoding: .utf8)
            line = text.split(separator: "\n").first { $0.hasPrefix("Max core file size") }.map(String.init)
        }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        let most = limit.rlim_max == rlim_t.max ? "unlimited" : "\(limit.rlim_max)"
        let words = line?.split(separator: " ").suffix(3).map(String.init)
        #expect(words == ["0", most, "bytes"])
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
