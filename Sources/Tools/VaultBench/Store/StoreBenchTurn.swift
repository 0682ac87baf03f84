import Foundation

/// The measurements of stores of one size.
struct StoreBenchTurn {
    /// The number of different items to look up.
    private static let keyCount = 20_000

    let itemCount: Int
    let place: StorePlace
    let table: StoreTable
    /// The stores to compare with, without ours.
    let databases: [SQLiteSubject?]
    /// Items that exist, in random order, and as many that do not.
    let keys: [PreparedItem]
    let absentKeys: [PreparedItem]
    /// The numbers of the items that were added after the load.
    var addedNumbers: Set<Int> = []

    init(itemCount: Int, in place: StorePlace, chart: StoreChart) throws {
        self.itemCount = itemCount
        self.place = place
        databases = try SQLiteSubject.Kind.allCases.map { try SQLiteSubject($0, in: place) }
        var generator = SystemRandomNumberGenerator()
        let numbers = (0..<Self.keyCount).map { _ in Int.random(in: 0..<itemCount, using: &generator) }
        keys = try numbers.map(PreparedItem.init)
        // Beyond the items that are added later.
        absentKeys = try numbers.map { try PreparedItem($0 + 1_000_000_000) }
        table = StoreTable(
            itemCount: itemCount,
            columns: ["Coffer"] + SQLiteSubject.Kind.allCases.map(\.name),
            chart: chart
        )
    }

    mutating func run() throws {
        try load()
        try compact(itemCount > 100_000 ? "log of the last 100,000 items" : "all from the log")
        try measureSize()
        try measureVerification()
        try measureProcesses("open + first lookup", panel: .open)
        try measureReading()
        try measureIndex()
        try measureWriting()
        let loggedCount = addedNumbers.count
        try measureProcesses("open + first lookup, log of \(loggedCount) items")
        try compact("log of \(loggedCount) items")
        try measureWait()
    }

    // MARK: - Loading

    /// Fills the stores; the vault is open in this process only while it is filled.
    private func load() throws {
        let clock = ContinuousClock()
        let seconds = try clock.measure { try CofferSubject(creatingIn: place).load(0..<itemCount) }
        table.add("load in transactions of 1,000, relaxed", [Double(itemCount) / (seconds / .seconds(1))], .perSecond)
        for database in databases { try database?.load(0..<itemCount) }
    }

    /// Compacts the vault in a separate process.
    private func compact(_ remark: String) throws {
        let numbers = try ChildProcess.run(StoreChild.arguments(.compact, .coffer, place)).numbers
        let (seconds, before, after) = (numbers[0], numbers[1], numbers[2])
        table.add("compaction, \(remark)", [seconds], .seconds)
        table.add(
            "  of that, bytes read and written",
            [(before + after) / 1_048_576 / seconds],
            .mebibytesPerSecond,
            aims: [.atLeast(100)]
        )
        table.add("  memory of the open vault before", [numbers[3]], .mebibytes, aims: memoryAims)
        table.add("  with the whole log read, as by a writer", [numbers[4]], .mebibytes, aims: memoryAims)
        table.add("  peak memory beyond that", [numbers[5]], .mebibytes, aims: [.atMost(64)])
    }

    private var memoryAims: [StoreTable.Aim] { itemCount == 100_000 ? [.atMost(48)] : [] }

    private func measureWait() throws {
        // A vault holds no more than a million items.
        guard itemCount <= 100_000 else { return }
        let numbers = try ChildProcess.run(StoreChild.arguments(.wait, .coffer, place, number: itemCount)).numbers
        table.add("longest durable add during a compaction", [numbers[0]], .milliseconds, aims: [.atMost(50)])
        table.add("  median of these adds", [numbers[1]], .milliseconds)
    }

    private func measureVerification() throws {
        let numbers = try ChildProcess.run(StoreChild.arguments(.verify, .coffer, place)).numbers
        let rate = numbers[1] / 1_048_576 / numbers[0]
        table.add("verification", [rate], .mebibytesPerSecond, aims: [.atLeast(286)])
    }

    private func measureSize() throws {
        var subjects: [(any StoreSubject)?] = [try CofferSubject(openingIn: place)]
        subjects += databases
        let sizes = try subjects.map { subject in try subject.map { Double(try $0.byteCount()) / Double(itemCount) } }
        table.add("bytes per item, compacted", sizes, .bytes, aims: [.atMost(360)])
    }

    // MARK: - Processes

    private func measureProcesses(_ name: String, panel: StoreChart.Panel? = nil) throws {
        let turns = 15
        let isThere = [true] + databases.map { $0 != nil }
        let stores = zip(StoreChild.Store.allCases, isThere).filter(\.1).map(\.0)
        var whole: [StoreChild.Store: [Double]] = [:]
        var inside: [StoreChild.Store: [Double]] = [:]
        var nothing: [Double] = []
        for _ in 0..<turns {
            let empty = try ChildProcess.run(StoreChild.arguments(.nothing, .coffer, place))
            nothing.append(empty.end - empty.start)
            for store in stores {
                let number = Int.random(in: 0..<itemCount)
                let answer = try ChildProcess.run(StoreChild.arguments(.lookup, store, place, number: number))
                whole[store, default: []].append(answer.end - answer.start)
                inside[store, default: []].append(answer.numbers[1] - answer.numbers[0])
            }
        }
        func median(_ times: [Double]?) -> Double? { times.map { $0.sorted()[$0.count / 2] / 1e6 } }
        let all = StoreChild.Store.allCases
        table.add(
            "\(name): main to secret",
            all.map { median(inside[$0]) },
            .milliseconds,
            aims: [.times(1.5, of: .sqlite)],
            panel: panel
        )
        table.add("  from spawn to exit", all.map { median(whole[$0]) }, .milliseconds)
        table.add("  of that, a process with Foundation that does nothing", [median(nothing)], .milliseconds)
    }

    private func measureIndex() throws {
        let arguments = StoreChild.arguments(.index, .coffer, place, number: keys[0].item.number)
        let numbers = try ChildProcess.run(arguments).numbers
        table.add("first query by service", [numbers[2]], .milliseconds)
        table.add(
            "  memory of the open vault after it",
            [numbers[0]],
            .mebibytes,
            aims: memoryAims
        )
        table.add("  peak memory meanwhile", [numbers[1]], .mebibytes)
    }
}
