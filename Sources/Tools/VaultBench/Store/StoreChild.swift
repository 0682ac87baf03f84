import Foundation
import Synchronization

/// The work of a separate process: opening a store and finding one item, or work whose memory is measured.
struct StoreChild {
    enum Task: String {
        /// Nothing, to measure the cost of a process.
        case nothing
        case lookup
        /// The first query by an attribute.
        case index
        case compact
        case verify
        /// Adds while another thread compacts.
        case wait
    }

    /// The store to open for a lookup.
    enum Store: String, CaseIterable {
        case coffer
        case sqlite
        case sqlcipher
    }

    private let task: Task
    private let store: Store
    private let place: StorePlace
    private let number: Int

    /// Returns the arguments that make a child process do this task.
    static func arguments(_ task: Task, _ store: Store, _ place: StorePlace, number: Int = 0) -> [String] {
        [task.rawValue, store.rawValue, place.directory, "\(number)"]
    }

    init?(arguments: [String]) {
        guard arguments.count == 4, let task = Task(rawValue: arguments[0]),
            let store = Store(rawValue: arguments[1]), let number = Int(arguments[3])
        else { return nil }
        self.task = task
        self.store = store
        place = StorePlace(directory: arguments[2])
        self.number = number
    }

    /// Performs the task and answers; `start` is the time when the process reached main.
    func run(since start: Double) throws {
        switch task {
        case .nothing: ChildProcess.answer([start, Measurement.sharedNanoseconds()])
        case .lookup: try lookUp(since: start)
        case .index: try index()
        case .compact: try compact()
        case .verify: try verify()
        case .wait: try addDuringCompaction()
        }
    }

    /// Answers the times when main was reached and when the secret was available.
    private func lookUp(since start: Double) throws {
        let subject: any StoreSubject
        switch store {
        case .coffer: subject = try CofferSubject(openingIn: place)
        case .sqlite: subject = try opened(.plain)
        case .sqlcipher: subject = try opened(.encrypted)
        }
        let byteCount = try subject.secretByteCount(of: PreparedItem(number))
        let end = Measurement.sharedNanoseconds()
        guard byteCount == StoreItem.secretByteCount else { throw CocoaError(.fileReadCorruptFile) }
        ChildProcess.answer([start, end])
    }

    private func opened(_ kind: SQLiteSubject.Kind) throws -> SQLiteSubject {
        guard let subject = try SQLiteSubject(kind, in: place) else { throw CocoaError(.executableLoad) }
        return subject
    }

    /// Answers the memory of a vault that is open and indexed, the peak meanwhile, in MiB, and the time of the first
    /// query in milliseconds.
    private func index() throws {
        let key = try PreparedItem(number)
        let before = try MemoryGauge.residentMebibytes()
        let gauge = try MemoryGauge()
        let subject = try CofferSubject(openingIn: place)
        let duration = try ContinuousClock().measure {
            guard try subject.count(ofService: key) > 0 else { throw CocoaError(.fileReadCorruptFile) }
        }
        let peak = try gauge.grownMebibytes()
        let after = try MemoryGauge.residentMebibytes()
        ChildProcess.answer([after - before, peak, duration.nanoseconds / 1e6])
    }

    /// Answers the longest time of a durable add during a compaction, and the usual one, in milliseconds.
    private func addDuringCompaction() throws {
        let subject = try CofferSubject(openingIn: place)
        let outcome = Mutex<Result<Void, any Error>?>(nil)
        let compact = subject.compaction
        Thread {
            let result = Result { try compact() }
            outcome.withLock { $0 = result }
        }.start()
        var times: [Double] = []
        while outcome.withLock({ $0 == nil }) {
            let item = try PreparedItem(2_000_000_000 + number + times.count)
            times.append(try ContinuousClock().measure { try subject.add([item], isDurable: true) }.nanoseconds / 1e6)
        }
        try outcome.withLock { try $0?.get() }
        times.sort()
        ChildProcess.answer([times.last ?? 0, times[times.count / 2]])
    }

    /// Answers the time of a verification in seconds, and the size of the file.
    private func verify() throws {
        let subject = try CofferSubject(openingIn: place)
        let duration = try ContinuousClock().measure { try subject.verify() }
        ChildProcess.answer([duration.nanoseconds / 1e9, Double(try subject.byteCount())])
    }

    /// Answers the time of a compaction, the file size before and after, the memory of the open vault, that with the
    /// whole log in memory, and the peak beyond it.
    ///
    /// The units are seconds, bytes and MiB. The log is read before, as in a program whose change makes the compaction
    /// due.
    private func compact() throws {
        let empty = try MemoryGauge.residentMebibytes()
        let subject = try CofferSubject(openingIn: place)
        let open = try MemoryGauge.residentMebibytes()
        try subject.readWholeLog()
        let read = try MemoryGauge.residentMebibytes()
        let gauge = try MemoryGauge()
        let before = try subject.byteCount()
        let duration = try ContinuousClock().measure { try subject.compact() }
        let grown = try gauge.grownMebibytes()
        ChildProcess.answer([
            duration.nanoseconds / 1e9, Double(before), Double(try subject.byteCount()), open - empty, read - empty,
            grown,
        ])
    }
}

/// This program in another process, which does one thing and answers with numbers.
struct ChildProcess {
    /// The first argument of a child process.
    static let verb = "child"

    /// The numbers that the child answered, and the times of its start and end.
    struct Answer {
        let numbers: [Double]
        let start: Double
        let end: Double
    }

    /// Runs this program with `arguments` and waits until it ends.
    static func run(_ arguments: [String]) throws -> Answer {
        var pipe: [Int32] = [-1, -1]
        guard Foundation.pipe(&pipe) == 0 else { throw CocoaError(.executableLoad) }
        defer { close(pipe[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        for end in pipe { posix_spawn_file_actions_addclose(&actions, end) }
        defer { posix_spawn_file_actions_destroy(&actions) }
        var words = ([CommandLine.arguments[0], verb] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }

        var process = pid_t()
        let start = Measurement.sharedNanoseconds()
        let code = posix_spawn(&process, "/proc/self/exe", &actions, nil, &words, environ)
        close(pipe[1])
        guard code == 0 else { throw CocoaError(.executableLoad) }
        var status: Int32 = 0
        let isReaped = waitpid(process, &status, 0) == process
        let end = Measurement.sharedNanoseconds()
        guard isReaped, status == 0 else { throw CocoaError(.executableRuntimeMismatch) }
        return Answer(numbers: try numbers(in: pipe[0]), start: start, end: end)
    }

    /// Reads the line that a child wrote before it ended; it fits into the pipe.
    private static func numbers(in descriptor: Int32) throws -> [Double] {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let byteCount = read(descriptor, &bytes, bytes.count)
        guard byteCount >= 0 else { throw CocoaError(.fileReadUnknown) }
        return String(decoding: bytes[..<byteCount], as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .compactMap { Double($0) }
    }

    /// Sends `numbers` to the parent process, with a call that needs no library setup.
    static func answer(_ numbers: [Double]) {
        let line = Array(numbers.map { "\($0)" }.joined(separator: " ").utf8)
        _ = write(1, line, line.count)
    }
}
