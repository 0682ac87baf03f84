import CommandSystem
import Foundation
import TestSupport
import Testing

/// What only real processes can show.
@Suite("Commands that are run with secrets", .temporaryDirectory) struct ExecProcessTests {
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
    func `a signal that ends the command ends the whole`(options: [String]) throws {
        let result = try exec(options + ["--env", "P=mail"], "kill -TERM $$")
        #expect(result.status == 15)
        #expect(result.isSignal)
    }

    @Test func `nobody waits for what others write when the command has ended`() throws {
        let script = "(timeout 20 yes; echo $? > ended) & exit 3"
        #expect(try exec(["--mask", "--env", "P=mail"], script).status == 3)
        // That is what it writes if it could go on until its time was over.
        let ended = try? String(contentsOf: command.home.appending(path: "ended"), encoding: .utf8)
        #expect(ended != "124\n")
    }

    @Test func `no picture of the memory is left where a signal ends the whole`() throws {
        // The command leaves none itself, and the shell tells of one.
        let words = "exec --mask --env P=mail -- sh -c 'ulimit -c 0; kill -QUIT $$'"
        let script = "ulimit -c unlimited; '\(command.path)' \(words); echo $?"
        let result = try command.run(["-c", script], program: "/bin/sh")
        #expect(result.output == "131\n")
        #expect(!result.errors.contains("core dumped"))
    }

    @Test func `nobody waits for ever where signals are held up`() throws {
        let process = command.process(["exec", "--mask", "--env", "P=mail", "true"])
        // As threads of tests do.
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func `the command takes the place of the program`() throws {
        let process = command.process(["exec", "--env", "P=mail", "sh", "-c", "echo $$"])
        let output = Pipe()
        process.standardOutput = output
        try command.start(process)
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == "\(process.processIdentifier)\n")
    }

    @Test(arguments: [[], ["--mask"]])
    func `a signal goes on to the command`(options: [String]) throws {
        // It waits for something that ends by itself, so that a signal that is lost is seen.
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

    @Test func `the secret is in no command line`() throws {
        let result = try exec(["--env", "P=mail"], "cat /proc/$$/cmdline; echo \"$P\"")
        #expect(result.output.hasSuffix("\nhunter2\n") || result.output.hasSuffix("hunter2\n"))
        #expect(result.output.components(separatedBy: "hunter2").count == 2)
    }

    @Test(arguments: [[], ["--mask"]])
    func `a file can be read by the command and by its children, and not be changed`(options: [String]) throws {
        let script = """
            stat -L -c %a "$F"; wc -c <"$F"; sh -c 'wc -c <"$F"; { echo x >>"$F"; } 2>&- || echo refused'
            """
        let result = try exec(options + ["--file", "F=mail"], script)
        #expect(result.output == "400\n7\n7\nrefused\n")
        #expect(result.status == 0)
    }

    @Test func `what the command writes is masked`() throws {
        let script = "printf 'a hun'; printf 'ter2 b'; printf hun; echo hunter2 >&2; printf aHVudGVyMg=="
        let result = try exec(["--mask", "--env", "P=mail"], script)
        #expect(result.output == "a **** bhun****==")
        #expect(result.errors == "****\n")
    }

    @Test func `who goes on to write when the command has ended is not waited for`() throws {
        let result = try exec(["--mask", "--env", "P=mail"], "sleep 5 & echo $!; echo done")
        let lines = result.output.split(separator: "\n")
        #expect(lines.last == "done")
        if let number = lines.first.flatMap({ Int32($0) }) { kill(number, SIGKILL) }
    }

    @Test(arguments: [[], ["--mask"]])
    func `the command does not get what the passphrase was read from`(options: [String]) throws {
        let vault = command.home.appending(path: "v.coffer").path
        let file = command.home.appending(path: "pass")
        try Data("correct\n".utf8).write(to: file)
        let more = ["--vault", vault, "--passphrase-file", file.path]
        #expect(try command.run(["init", "-q"] + more).status == 0)
        #expect(try command.run(["set", "mail", "kim", "-q"] + more, input: "hunter2").status == 0)
        let script = """
            exec 9<\(file.path)
            exec "$0" exec --vault \(vault) --passphrase-fd 9 --env P=mail "$@" -- sh -c 'echo $P; cat <&9'
            """
        let result = try command.run(["-c", script, command.path] + options, program: "/bin/sh")
        #expect(result.output == (options.isEmpty ? "hunter2\n" : "****\n"))
        #expect(result.status != 0)
    }

    @Test(arguments: [[], ["--mask"]])
    func `the command gets the variables of the program, but what the passphrase comes from`(options: [String]) throws {
        let script = "echo $OTHER $P ${COFFER_PASSPHRASE-none} ${COFFER_PASSPHRASE_FILE-none}; env | grep -c ^P="
        let more = ["COFFER_PASSPHRASE": "x", "OTHER": "other", "P": "replaced"]
        let words = ["exec"] + options + ["--env", "P=mail", "--", "sh", "-c", script]
        #expect(
            try command.run(words, adding: more).output
                == "other \(options.isEmpty ? "hunter2" : "****") none none\n1\n"
        )
    }

    @Test(.enabled(if: PythonOracle.isExpected))
    func `what the terminal tells the command itself is not passed on`() throws {
        let script = Repository.root.appending(path: "Tests/CofferCLITests/Oracle/terminal_interrupt.py").path
        let words = ["python3", "-I", script, command.path, "--mask", "--env", "P=mail"]
        #expect(try command.run(words, program: "/usr/bin/env").output == "told 0 status 6\n")
    }

    @Test func `a script without a line that names its interpreter is one for the shell`() throws {
        let script = command.home.appending(path: "script")
        try Data("echo $P $1\n".utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path)
        #expect(try command.run(["exec", "--env", "P=mail", script.path, "x"]).output == "hunter2 x\n")
        #expect(try command.run(["exec", "--env", "P=mail", "--mask", script.path, "x"]).output == "**** x\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: script.path)
        #expect(try command.run(["exec", "--env", "P=mail", script.path]).status == 126)
        #expect(try command.run(["exec", "--env", "P=mail", "--mask", "./nonesuch"]).status == 127)
    }

    @Test func `without files in memory alone they are in a directory, and gone afterwards`() throws {
        let sample = try CommandSample()
        var call = CommandSample.Call(words: [])
        call.machine = LinuxMachine(makesMemoryFiles: false)
        // Not a file system in memory, most likely; /dev/shm comes first if it is one.
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
