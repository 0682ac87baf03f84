import Foundation
import TestSupport
import Testing

/// Standard streams that are closed, full or not read, which takes a real process.
@Suite("Standard streams", .temporaryDirectory) struct StreamTests {
    private let command: BuiltCommand

    init() throws {
        command = try BuiltCommand()
        #expect(try command.run(["set", "mail", "kim", "-q"], input: "hunter2").status == 0)
    }

    /// Returns the output of a shell script, in which `coffer` is the command.
    private func shell(_ script: String) throws -> String {
        let call = script.replacing("coffer", with: "'\(command.path)'")
        return try command.run(["-c", "exec 2>&1; " + call], program: "/bin/sh").output
    }

    @Test func `a closed standard output is an error, and its output does not end up in the vault`() throws {
        let seen = try shell("coffer get mail >&-; echo $?")
        #expect(seen.contains("coffer: error: standard output could not be written"))
        #expect(seen.hasSuffix("74\n"))
        #expect(try shell("coffer set web kim --force <&- >&-; coffer get mail").hasSuffix("hunter2"))
    }

    @Test func `a closed standard input gives no secret`() throws {
        let seen = try shell("coffer set web kim <&-; echo $?; coffer get web; echo $?")
        #expect(seen.contains("coffer: error: standard input could not be read"))
        #expect(seen.contains("\n74\n"))
        #expect(seen.hasSuffix("44\n"))
    }

    @Test func `a secret is stored although standard output and standard error are closed`() throws {
        #expect(try shell("echo battery | coffer set web kim >&- 2>&-; echo $?; coffer get web") == "0\nbattery")
    }

    @Test func `a full standard output is an error`() throws {
        let seen = try shell("coffer get mail >/dev/full; echo $?")
        #expect(
            seen
                == "coffer: error: standard output could not be written: the disk is full; free some space and try again\n68\n"
        )
    }

    @Test func `a broken pipe ends the process by its signal`() throws {
        // The output is larger than the buffer of a pipe.
        let seen = try shell("for i in 1 2 3 4 5 6 7 8; do coffer completions bash; done | head -n 1; echo done")
        #expect(seen == "# Completion for coffer in bash.\ndone\n")
    }

    @Test func `a closed or full standard error does not change the exit code`() throws {
        #expect(try shell("coffer get nothing 2>&-; echo $?") == "44\n")
        #expect(try shell("coffer get nothing 2>/dev/full; echo $?") == "44\n")
    }
}
