import Coffer
import CofferBasics
import CofferCLI
import CommandSystem
import Foundation
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// A connection to another simulated machine, as ssh makes it: the command runs there, with the host as its home.
///
/// `SAMPLE_CUT` is the number of bytes after which the connection ends.
final class SampleConnection: ProgramConnection {
    let output: any ByteInput
    let input: any ByteOutput
    private let ended = CofferBasics.Semaphore()
    private let status = Status()

    private final class Status: Sendable {
        let value = Guarded<UInt8>(0)
    }

    init(_ program: ProgramCall, home: URL, time: ManualTime, cutAfter cut: Int?) {
        let budget = ByteQueue.Budget(cut ?? .max)
        let (there, back) = (ByteQueue(budget), ByteQueue(budget))
        (input, output) = (QueueStream(there), QueueStream(back))
        let (words, ended, status) = (program.words, ended, status)
        let thread = Thread {
            let code = Self.run(
                Array(words.drop { $0 != "--" }.dropFirst()),
                home,
                time,
                QueueStream(there),
                QueueStream(back)
            )
            status.value.withLock { $0 = code }
            back.end()
            ended.signal()
        }
        thread.start()
    }

    /// Runs the command on the other machine, and returns its exit code.
    private static func run(
        _ words: [String],
        _ home: URL,
        _ time: ManualTime,
        _ input: QueueStream,
        _ output: QueueStream
    ) -> UInt8 {
        let host = words[0]
        switch host {
        // What ssh does if there is no connection, and a shell if there is no command.
        case "nowhere": return 255
        case "bare": return 127
        case "noisy":
            let welcome = Array("Welcome to noisy!\n".utf8)
            try? output.write(welcome.span)
            return 0
        default: break
        }
        let variables = ["HOME": home.appending(path: host).path]
        let context = CommandContext(
            programName: words[1],
            executable: nil,
            arguments: Array(words.dropFirst(2)),
            environment: ProgramEnvironment(variables: variables, isSetUserID: false),
            input: input,
            output: output,
            errors: GatheredOutput(),
            openTerminal: { nil },
            openScreen: { nil },
            machine: SampleMachine([:]),
            time: time,
            secondsFromUTC: { _ in 3600 },
            adjust: { options in
                options.keyring = KernelKeyring(calls: SimulatedKeys(time: time))
                guard let random = try? SystemRandom() else { return }
                options.environment = StoreEnvironment(random: random)
                options.environment?.time = time
            }
        )
        return CofferCommand.run(context).status
    }

    func end() -> ProgramOutcome? {
        (input as? QueueStream)?.end()
        ended.wait()
        ended.signal()
        return .status(status.value.withLock { $0 })
    }
}

/// One direction of a connection as a stream.
private final class QueueStream: ByteInput, ByteOutput, Sendable {
    private let queue: ByteQueue
    private let arrived = Guarded<[UInt8]>([])

    let isTerminal = false
    let columnCount: Int? = nil

    init(_ queue: ByteQueue) {
        self.queue = queue
    }

    func end() { queue.end() }

    func write(_ bytes: Span<UInt8>) throws(FileError) {
        guard queue.put(Array(copying: bytes)) else { throw FileError(.write, "ssh", reason: .other(32)) }
    }

    func read(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int { try readSome(into: &buffer) }

    func readSome(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        while try !hasMore(within: .seconds(60)) {}
        let taken = arrived.withLock { arrived in
            let taken = Array(arrived.prefix(buffer.count))
            arrived.removeFirst(taken.count)
            return taken
        }
        buffer.copy(from: taken.span)
        return taken.count
    }

    func hasMore(within timeout: Duration) throws(FileError) -> Bool {
        guard arrived.withLock({ $0.isEmpty }) else { return true }
        guard let bytes = queue.take(atMost: 65_536, timeout: timeout) else { return false }
        arrived.withLock { $0 = bytes }
        return true
    }
}
