internal import Coffer
internal import CofferBasics
internal import CofferScreen

extension CommandRun {
    /// Shows what the vault contains and how its space is used.
    func writeSpace() throws {
        vaults.isExamining = true
        let vault = try vaults.vault()
        let stats = VaultStats(vault.path, try vault.space(), try vault.historySettings)
        let start = try vaults.withKeychain { keychain in try keychain.historyStart }
        if stats.space.hasClosedGroups { messages.note("some groups are locked entirely and are not counted") }
        if isJSON { return try output.write(json: stats.json(since: start)) }
        guard output.isTerminal else { return try stats.write(since: start, to: output) }
        try stats.draw(since: start.map(shown), to: output, isColored: printsColor)
    }
}

/// The contents of a vault and how its space is used.
struct VaultStats {
    let path: String
    let space: VaultSpace
    let settings: HistorySettings

    init(_ path: String, _ space: VaultSpace, _ settings: HistorySettings) {
        self.path = path
        self.space = space
        self.settings = settings
    }

    // MARK: - Printing

    /// Writes the numbers as lines for programs.
    func write(since start: KeychainDate?, to output: Output) throws {
        try output.write(line: "bytes\tfile\t\(space.fileByteCount)")
        for (name, byteCount) in space.uses + space.parts { try output.write(line: "bytes\t\(name)\t\(byteCount)") }
        for count in space.counts {
            try output.write(
                line: "items\t\(count.group.printable)\t\(count.itemClass.shortName)\t\(count.itemCount)"
            )
        }
        try output.write(line: "past\trevisions\t\(space.pastRevisionCount)")
        if let start { try output.write(line: "past\tsince\t\(Timestamp.utc(start))") }
    }

    /// Writes the numbers as bar charts as wide as the terminal.
    func draw(since start: String?, to output: Output, isColored: Bool) throws {
        try output.write(line: "\(path.printable): \(ByteSize.text(space.fileByteCount))")
        let total = space.counts.reduce(0) { $0 + $1.itemCount }
        let charts = [
            ("Bytes", Self.chart(space.uses)), ("Parts of the file", Self.chart(space.parts)),
            (total.counted("item"), itemChart),
        ]
        let headColumnCount = charts.reduce(0) { max($0, $1.1.headColumnCount) }
        for (heading, chart) in charts {
            try output.write(line: "")
            try output.write(line: Style.heading(heading, isColored))
            let lines = chart.lines(
                columnCount: output.columnCount - 2,
                headColumnCount: headColumnCount,
                isColored: isColored
            )
            for line in lines { try output.write(line: "  \(line)") }
        }
        try output.write(line: "")
        let since = start.map { ", complete since \($0)" } ?? ""
        try output.write(line: "History: \(space.pastRevisionCount.counted("past revision"))\(since)")
        try output.write(line: "Kept: \(settings.summary)")
    }

    /// The colors of bars; those of parts of the file are the same as in its map.
    private static let colors = [
        "live": Style.green, "dead": Style.yellow, "history": Style.cyan, "reserve": Style.dim,
        "head": Style.magenta, "snapshot": Style.green, "log": Style.blue,
    ]

    private static func chart(_ sizes: [(name: String, byteCount: Int)]) -> BarChart {
        var chart = BarChart()
        for (name, byteCount) in sizes { chart.add([name], byteCount, ByteSize.text(byteCount), color: colors[name]) }
        return chart
    }

    private var itemChart: BarChart {
        var chart = BarChart()
        for count in space.counts {
            chart.add([count.group.printable, count.itemClass.shortName], count.itemCount, String(count.itemCount))
        }
        return chart
    }

    /// The numbers as JSON: `Spec/command.md`, section 5.
    func json(since start: KeychainDate?) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("vault", .string(path)), ("bytes", JSON(space.fileByteCount)),
        ]
        members += (space.uses + space.parts).map { ("\($0.name)Bytes", JSON($0.byteCount)) }
        let items = space.counts.map { count -> JSON in
            [
                "group": .string(count.group), "class": .string(count.itemClass.shortName),
                "items": JSON(count.itemCount),
            ]
        }
        members += [
            ("items", .array(items)), ("pastRevisions", JSON(space.pastRevisionCount)),
            ("historySince", JSON(start)),
            ("history", settings.json),
        ]
        return .object(members)
    }
}
