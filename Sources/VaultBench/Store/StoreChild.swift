import Foundation

/// What a process of its own does with a store: open it and find one item, or something whose memory is measured.
struct StoreChild {
    enum Task: String {
        /// Nothing: what a process costs.
        case nothing
        case lookup
        /// The first query by an attribute.
        case index
        case compact
    }

    /// Which store to open, for a lookup.
    enum Store: String, CaseIterable {
        case coffer
        case sqlite
        case sqlcipher
    }

    private let task: Task
    private let store: Store
    private let place: StorePlace
    private let number: Int

    /// The words that make a child do this.
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

    /// Does it and answers; `start` is when the process reached its main.
    func run(since start: Double) throws {
        switch task {
        case .nothing: ChildProcess.answer([start, Measurement.sharedNanoseconds()])
        case .lookup: try lookUp(since: start)
        case .index: try index()
        case .compact: try compact()
        }
    }

    /// Answers when main was reached, and when the secret was there.
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

    /// Answers how much memory is taken by a vault that is open and indexed, how much was taken meanwhile, and how long
    /// the first query lasted, in MiB and milliseconds.
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

    /// Answers how long a compaction lasts, the sizes of the file, the records of which it was made, and the memory that it
    /// took beyond that of the open vault, and in all, in seconds, bytes and MiB.
    private func compact() throws {
        let empty = try MemoryGauge.residentMebibytes()
        let subject = try CofferSubject(openingIn: place)
        let open = try MemoryGauge.residentMebibytes()
        let gauge = try MemoryGauge()
        let before = try subject.byteCount()
        let duration = try ContinuousClock().measure { try subject.compact() }
        let grown = try gauge.grownMebibytes()
        ChildProcess.answer([
            duration.nanoseconds / 1e9, Double(before), Double(try subject.byteCount()), open - empty, grown,
        ])
    }
}
