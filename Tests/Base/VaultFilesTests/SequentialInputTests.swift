import Foundation
import TestSupport
import Testing
import VaultFiles

@Suite("Sequential input", .temporaryDirectory) struct SequentialInputTests {
    private func text(_ bytes: [UInt8], _ count: Int) -> String { String(decoding: bytes.prefix(count), as: UTF8.self) }

    @Test(arguments: ["", "a", "four", "fiver"]) func `a file is read to its end, or until the buffer is full`(
        content: String
    ) throws {
        let url = try TemporaryDirectory.current.appending(path: "input")
        try Data(content.utf8).write(to: url)
        var bytes = [UInt8](repeating: 0, count: 4)
        var span = bytes.mutableSpan
        let count = try SequentialInput.read(url.path, into: &span)
        #expect(text(bytes, count) == content.prefix(4))
    }

    @Test func `a pipe is read until its last writer closes it`() throws {
        let pipe = Pipe()
        let writer = Thread {
            for text in ["one ", "two ", "three"] { pipe.fileHandleForWriting.write(Data(text.utf8)) }
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        var bytes = [UInt8](repeating: 0, count: 100)
        var span = bytes.mutableSpan
        let count = try SequentialInput.read(descriptor: pipe.fileHandleForReading.fileDescriptor, into: &span)
        #expect(text(bytes, count) == "one two three")
    }

    @Test func `an input that cannot be opened or read is reported with its name`() throws {
        let directory = try TemporaryDirectory.current.path
        var bytes = [UInt8](repeating: 0, count: 4)
        var span = bytes.mutableSpan
        let cases: [(String, FileError)] = [
            (directory + "/none", FileError(.open, directory + "/none", reason: .notFound)),
            (directory, FileError(.read, directory, reason: .isDirectory)),
            ("a\0b", FileError(.open, "a\0b", reason: .invalidName)),
        ]
        for (path, error) in cases {
            do throws(FileError) {
                _ = try SequentialInput.read(path, into: &span)
                Issue.record("\(path) was read")
            } catch let found {
                #expect(found == error)
            }
        }
    }
}

@Suite("Output of a command") struct CommandOutputTests {
    private func run(_ command: String, byteCount: Int = 100) throws(CommandOutput.Failure) -> String {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var span = bytes.mutableSpan
        let count = try CommandOutput.read(command, into: &span)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    @Test func `the output of the command is returned`() throws {
        #expect(try run("printf 'a b'; printf c") == "a bc")
        #expect(try run("true").isEmpty)
    }

    @Test func `the command's input is empty`() throws {
        #expect(try run("cat").isEmpty)
    }

    @Test func `a status other than 0 is a failure, whatever was written`() {
        #expect(throws: CommandOutput.Failure.status(7)) { try run("echo text; exit 7") }
        #expect(throws: CommandOutput.Failure.status(127)) { try run("no-such-command-anywhere 2>/dev/null") }
        #expect(throws: CommandOutput.Failure.signal(9)) { try run("kill -9 $$") }
    }

    @Test func `a command is stopped even if the program ignores broken pipes`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            var bytes = [UInt8](repeating: 0, count: 10)
            var span = bytes.mutableSpan
            do throws(CommandOutput.Failure) {
                _ = try CommandOutput.read("exec cat /dev/zero 2>/dev/null", into: &span)
                exit(1)
            } catch {
                exit(error == .signal(SIGPIPE) ? 0 : 2)
            }
        }
    }

    // If a program ignores SIGCHLD, the system does not report how a command ended; the output of a failed command was
    // taken for a passphrase.
    @Test func `a command whose status is unknown has failed`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            var bytes = [UInt8](repeating: 0, count: 10)
            var span = bytes.mutableSpan
            do throws(CommandOutput.Failure) {
                _ = try CommandOutput.read("echo text; exit 7", into: &span)
                exit(1)
            } catch {
                exit(error == .unknownEnd ? 0 : 2)
            }
        }
    }

    @Test func `a command that writes endlessly is stopped`() throws {
        #expect(throws: CommandOutput.Failure.signal(SIGPIPE)) { try run("exec cat /dev/zero", byteCount: 10) }
    }
}
