internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles
internal import VaultSync

/// A connection to the command on another machine, over ssh.
final class RemoteConnection {
    let client: SyncClient
    private let run: CommandRun
    private let address: RemoteAddress
    private let program: any ProgramConnection

    init(_ run: CommandRun, to address: RemoteAddress) throws {
        (self.run, self.address) = (run, address)
        let named = run.context.environment["COFFER_SSH"] ?? ""
        let words = address.words(named.isEmpty ? "ssh" : named, mayAsk: run.prompter.canAsk)
        let call = ProgramCall(words: words, removedPrefixes: ["COFFER_PASSPHRASE"], closedDescriptors: [])
        do throws(ProgramFailure) {
            program = try run.context.machine.connect(to: call)
        } catch {
            throw CommandError(error, call)
        }
        do {
            client = try SyncClient(StreamTransport(program.output, program.input), path: address.path)
        } catch {
            throw Self.error(error, address, program)
        }
    }

    /// Calls `body` with the client, and says what went wrong in words.
    func talk<Result>(_ body: (SyncClient) throws -> Result) throws -> Result {
        do {
            return try body(client)
        } catch {
            throw Self.error(error, address, program)
        }
    }

    /// Like ``talk(_:)``, with a progress bar.
    func transfer<Result>(
        _ name: String,
        _ body: (SyncClient, (SyncProgress) -> Void) throws -> Result
    ) throws -> Result {
        let meter = ProgressMeter(name, run.progressForm, run.context.time, run.messages)
        defer { meter.end() }
        return try talk { client in
            try body(client) {
                meter.note(VaultProgress(byteCount: $0.byteCount, expectedByteCount: $0.expectedByteCount))
            }
        }
    }

    private static func error(
        _ failure: any Error,
        _ address: RemoteAddress,
        _ program: any ProgramConnection
    ) -> CommandError {
        let place = address.text.printable
        switch failure {
        case SyncFailure.disconnected, SyncFailure.noGreeting:
            let outcome = program.end()
            if case SyncFailure.noGreeting(let bytes) = failure {
                let text = String(decoding: bytes, as: UTF8.self).printable
                return CommandError(
                    .unavailable,
                    "\(place) does not answer like coffer, but prints: \(text)",
                    hints: ["a file such as .bashrc there must print nothing for commands without a terminal"]
                )
            }
            switch outcome {
            case .status(255)?:
                return CommandError(.unavailable, "no connection to \(place), or it was lost; ssh may have said why")
            case .status(127)?:
                return CommandError(
                    .unavailable,
                    "\(place) has no command `coffer`",
                    hints: ["install it there, in a directory that PATH has for commands without a terminal"]
                )
            default: return CommandError(.unavailable, "the connection to \(place) ended; try again")
            }
        case SyncFailure.timedOut(let seconds):
            return CommandError(.unavailable, "\(place) has sent nothing for \(seconds) s; try again")
        case SyncFailure.invalid(let what): return CommandError(.failure, "\(place) broke the protocol: \(what)")
        case SyncFailure.refused(let refusal, let text):
            return CommandError(ExitCode(refusal), "\(place): \(text.printable)")
        default: return CommandError(failure)
        }
    }
}

extension ExitCode {
    init(_ refusal: SyncRefusal) {
        self =
            switch refusal {
            case .other: .failure
            case .notAVault: .notAVault
            case .changed, .busy: .busy
            case .denied: .permissions
            }
    }
}

/// The streams of a process as a transport.
final class StreamTransport: SyncTransport {
    private let input: any ByteInput
    private let output: any ByteOutput

    init(_ input: any ByteInput, _ output: any ByteOutput) {
        (self.input, self.output) = (input, output)
    }

    func receive(into buffer: inout MutableSpan<UInt8>, timeout: Duration) throws(FileError) -> Int? {
        guard try input.hasMore(within: timeout) else { return nil }
        return try input.readSome(into: &buffer)
    }

    func send(_ bytes: Span<UInt8>) throws(FileError) { try output.write(bytes) }
}
