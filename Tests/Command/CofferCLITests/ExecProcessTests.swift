import CommandSystem
import Foundation
import TestSupport
import Testing

/// Tests of `exec` that need real processes.
@Suite("Running commands with secrets", .temporaryDirectory) struct ExecProcessTests {
    private let command: BuiltCommand

    init() throws {
        command = try BuiltCommand()
        #expect(try command.run(["set", "mail", "kim", "-q"], input: "hunter2").status == 0)
    }

    private func exec(_ options: [String], _ script: String) throws -> BuiltCommand.Result {
        let words = ["exec"] + options + ["--", "sh", "-c", script]
        return try command.run(words)
    }

    @Test(arguments: [[], ["--mask"]])
    func `the exit code is that of the command`(options: [String]) throws {
        #expect(try exec(options + ["--env", "P=mail"], "exit 7").status == 7)
        #expect(try exec(options + ["--env", "P=mail"], "exit 0").status == 0)
    }

    @Test(arguments: [[], ["--mask"]])
    func `a signal that ends the command also ends coffer`(options: [String]) throws {
        let result = try exec(options + ["--env", "P=mail"], "kill -TERM $$")
        #expect(result.status == 15)
        #expect(result.isSignal)
    }

    @Test func `output of background processes is not waited for after the command has ended`() throws {
        let script = "(timeout 20 yes; echo $? > ended) & exit 3"
        #expect(try exec(["--mask", "--env", "P=mail"], script).status == 3)
        // It writes this if it was able to run until its timeout.
        let ended = try? String(contentsOf: command.home.appending(path: "ended"), encoding: .utf8)
        #expect(ended != "124\n")
    }

    @Test func `a signal that ends the command leaves no core dump of coffer`() throws {
        // The command itself dumps no core; the shell would report a dump of coffer.
        let words = "exec --mask --env P=mail -- sh -c 'ulimit -c 0; kill -QUIT $$'"
        let script = "ulimit -c unlimited; '\(command.path)' \(words); echo $?"
        let result = try command.run(["-c", script], program: "/bin/sh")
        #expect(result.output == "131\n")
        #expect(!result.errors.contains("core dumped"))
    }

    @Test func `exec ends although its parent blocks signals`() throws {
        let process = command.process(["exec", "--mask", "--env", "P=mail", "true"])
        // Not by `start`, so that the process inherits the signal mask of the test thread.
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func `without a mask the command replaces the coffer process`() throws {
        let process = command.process(["exec", "--env", "P=mail", "sh", "-c", "echo $$"])
        let output = Pipe()
        process.standardOutput = output
        try command.start(process)
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == "\(process.processIdentifier)\n")
    }

    @Test(arguments: [[], ["--mask"]])
    func `a signal is passed on to the command`(options: [String]) throws {
        // The command waits for a process that ends by itself, so that a lost signal is noticed.
        let script = "trap 'kill $!; exit 5' USR1; sleep 20 >&- & echo ready; wait; exit 9"
        let process = command.process(["exec"] + options + ["--env", "P=mail", "sh", "-c", script])
        let output = Pipe()
        process.standardOutput = output
        try command.start(process)
        #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
        kill(process.processIdentifier, SIGUSR1)
        process.waitUntilExit()
        #expect(process.terminationStatus == 5)
    }

    @Test func `no command line contains the secret`() throws {
        let result = try exec(["--env", "P=mail"], "cat /proc/$$/cmdline; echo \"$P\"")
        #expect(result.output.hasSuffix("\nhunter2\n") || result.output.hasSuffix("hunter2\n"))
        #expect(result.output.components(separatedBy: "hunter2").count == 2)
    }

    @Test(arguments: [[], ["--mask"]])
    func `the command and its children can read a secret file but not change it`(options: [String]) throws {
        let script = """
            stat -L -c %a "$F"; wc -c <"$F"; sh -c 'wc -c <"$F"; { echo x >>"$F"; } 2>&- || echo refused'
            """
        let result = try exec(options + ["--file", "F=mail"], script)
        #expect(result.output == "400\n7\n7\nrefused\n")
        #expect(result.status == 0)
    }

    @Test func `output of the command is masked`() throws {
        let script = "printf 'a hun'; printf 'ter2 b'; printf hun; echo hunter2 >&2; printf aHVudGVyMg=="
        let result = try exec(["--mask", "--env", "P=mail"], script)
        #expect(result.output == "a **** bhun****==")
        #expect(result.errors == "****\n")
    }

    @Test func `background processes are not waited for after the command has ended`() throws {
        let result = try exec(["--mask", "--env", "P=mail"], "sleep 600 & echo $!; echo done")
        let lines = result.output.split(separator: "\n")
        #expect(lines.last == "done")
        let number = try #require(lines.first.flatMap { Int32($0) })
        // A process that has ended, but for which no one has waited, is in state Z.
        #expect(try !String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8).contains(") Z "))
        kill(number, SIGKILL)
    }

    @Test(arguments: [[], ["--mask"]])
    func `the command does not inherit the descriptor of the passphrase`(options: [String]) throws {
        let vault = command.home.appending(path: "v.coffer").path
        try CommandSample.makeVault(at: vault)
        let script = """
            exec 9<passphrase
            exec "$0" exec --vault \(vault) --passphrase-fd 9 --env P=mail "$@" -- sh -c 'echo $P; cat <&9'
            """
        let result = try command.run(["-c", script, command.path] + options, program: "/bin/sh")
        #expect(result.output == (options.isEmpty ? "hunter2\n" : "****\n"))
        #expect(result.status != 0)
    }

    @Test(arguments: [[], ["--mask"]])
    func `the command inherits all variables except those of the passphrase`(options: [String]) throws {
        let script = "echo $OTHER $P ${COFFER_PASSPHRASE-none} ${COFFER_PASSPHRASE_FILE-none}; env | grep -c ^P="
        let more = ["COFFER_PASSPHRASE": "x", "OTHER": "other", "P": "replaced"]
        let words = ["exec"] + options + ["--env", "P=mail", "--", "sh", "-c", script]
        #expect(
            try command.run(words, adding: more).output
                == "other \(options.isEmpty ? "hunter2" : "****") none none\n1\n"
        )
    }

    @Test(.enabled(if: PythonOracle.isExpected))
    func `a signal that the terminal sends to the command is not passed on again`() throws {
        let script = Repository.root.appending(path: "Tests/Command/CofferCLITests/Oracle/terminal_interrupt.py").path
        let words = ["python3", "-I", script, command.path, "--mask", "--env", "P=mail"]
        #expect(try command.run(words, program: "/usr/bin/env").output == "told 0 status 6\n")
    }

    @Test func `a script without an interpreter line is run by the shell`() throws {
        let script = command.home.appending(path: "script")
        try ShellScript.write("echo $P $1", interpreter: "", to: script)
        #expect(try command.run(["exec", "--env", "P=mail", script.path, "x"]).output == "hunter2 x\n")
        #expect(try command.run(["exec", "--env", "P=mail", "--mask", script.path, "x"]).output == "**** x\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: script.path)
        #expect(try command.run(["exec", "--env", "P=mail", script.path]).status == 126)
        #expect(try command.run(["exec", "--env", "P=mail", "--mask", "./nonesuch"]).status == 127)
    }

    @Test func `without memory files, secret files are in a directory that is removed afterwards`() throws {
        let sample = try CommandSample()
        var call = CommandSample.Call(words: [])
        call.machine = LinuxMachine(makesMemoryFiles: false)
        // Most likely not a file system in memory; /dev/shm is preferred if it is one.
        call.variables = ["TMPDIR": sample.home.path]
        let copy = sample.home.appending(path: "copy")
        let script = "stat -c '%a %n' \"$F\" \"$(dirname \"$F\")\" >\(copy.path); cat \"$F\" >>\(copy.path)"
        call.words = ["exec", "--quiet", "--file", "F=mail", "sh", "-c", script]
        #expect(sample.run("set", "mail", "kim", "--quiet", "--force", input: "hunter2").status == 0)
        #expect(sample.run(call).status == 0)
        let lines = try String(contentsOf: copy, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("600 ") && lines[0].hasSuffix("/F"))
        #expect(lines[1].hasPrefix("700 "))
        #expect(lines[2] == "hunter2")
        #expect(!FileManager.default.fileExists(atPath: String(lines[1].dropFirst(4))))
    }
}
