import CofferBasics
import CommandSystem
import Foundation
import TestSupport
import Testing
import VaultFiles
import VaultFormat

/// Machines that send what they should not: `Spec/sync.md`, section 5.
@Suite("Hostile machines", .temporaryDirectory) struct HostileSyncTests {
    private let sample: CommandSample
    private let path: URL

    init() throws {
        sample = try CommandSample()
        path = sample.home.appending(path: ".local/share/coffer/login.coffer")
        try Data("correct horse\n".utf8).write(to: sample.home.appending(path: "passphrase"))
        try run(["init", "--quiet"])
        try run(["set", "mail", "kim", "--quiet"])
    }

    private func call(_ words: [String], state: String? = nil) -> CommandSample.Call {
        let passphrase = ["--passphrase-file", sample.home.appending(path: "passphrase").path]
        var call = CommandSample.Call(words: words + passphrase, input: Array("hunter2".utf8))
        if let state { call.variables["XDG_STATE_HOME"] = sample.home.appending(path: state).path }
        return call
    }

    @discardableResult
    private func run(_ words: [String], state: String? = nil) throws -> CommandSample.Result {
        let result = sample.run(call(words, state: state))
        try #require(result.status == 0, "\(words): \(result.errors)")
        return result
    }

    /// Makes a copy of the vault, and changes it on another machine.
    private func copy(_ name: String, adding services: [String]) throws -> URL {
        let copy = sample.home.appending(path: "\(name).coffer")
        try FileManager.default.copyItem(at: path, to: copy)
        for service in services { try run(["set", service, "kim", "--vault", copy.path, "--quiet"], state: name) }
        return copy
    }

    private func frames(of vault: [UInt8]) throws -> [Range<Int>] {
        try VaultInspection(of: MemorySource(vault)).parts.compactMap { part in
            if case .frame = part.kind { part.range } else { nil }
        }
    }

    /// A client with a diverged copy could once append a genuine frame of it to a locked vault.
    ///
    /// Nobody could write the vault any more. Behind what waits it takes nothing away.
    @Test func `a genuine frame of another history harms neither the vault nor what waits`() throws {
        let honest = [UInt8](try Data(contentsOf: copy("honest", adding: ["a"])))
        let diverged = [UInt8](try Data(contentsOf: copy("diverged", adding: ["b", "c", "d"])))
        let end = try #require(frames(of: honest).last?.upperBound)
        let frame = try #require(frames(of: diverged).last)
        let waiting = URL(filePath: path.path + ".received")
        try Data(honest[..<end] + diverged[frame]).write(to: waiting)
        #expect(sample.run(call(["verify", waiting.path], state: "third")).status == 61)

        #expect(try run(["get", "a"]).text == "hunter2")
        #expect(!FileManager.default.fileExists(atPath: waiting.path))
        try run(["set", "e", "kim", "--quiet"])
        try run(["verify"])
    }

    /// A service that synchronises a folder could once make each look at it read gigabytes, with `--watch` each second.
    @Test func `of a large file that is no copy of the vault, only the header is read`() throws {
        let folder = sample.home.appending(path: "cloud")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let other = folder.appending(path: "other.coffer")
        try run(["init", "--vault", other.path, "--quiet"], state: "other")
        truncate(other.path, 64 << 20)
        let files = HookedFiles()
        var call = call(["sync", folder.path])
        call.files = files
        #expect(sample.run(call).status == 0)
        // Once to look for changes, once to look for copies.
        #expect(files.calls.count { $0.operation == .read && $0.path == other.path } == 2)
    }

    /// A server that answers each `wait` with a change once kept a machine with `--watch` fetching without a pause.
    @Test func `a server that always says that its vault has changed is asked once a second`() throws {
        try run(["sync", "ssh://desk", "--quiet"])
        let machine = SampleMachine([:])
        let (home, time) = (sample.home, sample.time)
        machine.connects = { program in
            RestlessConnection(SampleConnection(program, home: home, time: time, cutAfter: nil)) { count in
                if count == 2 { machine.signals.signal = SIGINT }
            }
        }
        var call = call(["sync", "--watch", "ssh://desk"])
        call.machine = machine
        // The clock goes on while the command waits for changes of its own vault.
        let hasEnded = Guarded(false)
        Thread {
            while !hasEnded.withLock({ $0 }) {
                time.advance(nanoseconds: 100_000_000)
                usleep(10_000)
            }
        }.start()
        defer { hasEnded.withLock { $0 = true } }
        #expect(sample.run(call).signal == SIGINT)
        #expect(time.sleeps.count { $0 == 1_000_000_000 } == 2)
    }
}

/// A connection to a server whose vault changes all the time, if one asks it.
private final class RestlessConnection: ProgramConnection, ByteInput, ByteOutput {
    private let connection: SampleConnection
    private let isAsked: (Int) -> Void
    private var count = 0
    private var changeByteCount = 0

    let isTerminal = false
    let columnCount: Int? = nil
    var output: any ByteInput { self }
    var input: any ByteOutput { self }

    init(_ connection: SampleConnection, isAsked: @escaping (Int) -> Void) {
        (self.connection, self.isAsked) = (connection, isAsked)
    }

    func end() -> ProgramOutcome? { connection.end() }

    func write(_ bytes: Span<UInt8>) throws(FileError) {
        guard bytes.count == 5, bytes[0] == 12 else { return try connection.input.write(bytes) }
        count += 1
        changeByteCount = 5
        isAsked(count)
    }

    func hasMore(within timeout: Duration) throws(FileError) -> Bool {
        guard changeByteCount == 0 else { return true }
        return try connection.output.hasMore(within: timeout)
    }

    func read(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int { try readSome(into: &buffer) }

    func readSome(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        guard changeByteCount > 0 else { return try connection.output.readSome(into: &buffer) }
        changeByteCount = 0
        let change: [UInt8] = [14, 0, 0, 0, 0]
        buffer.copy(from: change.span)
        return change.count
    }
}
