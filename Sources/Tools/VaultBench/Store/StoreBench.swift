import Foundation
import VaultFormat

/// The cost of the store's work, compared with SQLite and SQLCipher in the same run.
struct StoreBench {
    private let itemCounts: [Int]
    private let chart = StoreChart()
    /// The file for the chart, if one is wanted.
    private let chartPath: String?

    /// Takes `[SIZES] [--chart FILE]` with sizes such as `1k`, `100k` or `1M`; nil if they are invalid.
    init?(arguments: [String]) {
        let sizes = arguments.prefix { $0 != "--chart" }
        let option = arguments.dropFirst(sizes.count)
        guard option.isEmpty || option.count == 2 else { return nil }
        chartPath = option.dropFirst().first
        var itemCounts: [Int] = []
        for size in sizes.flatMap({ $0.split(separator: ",") }) {
            let factor = size.hasSuffix("k") ? 1000 : size.hasSuffix("M") ? 1_000_000 : 1
            guard let number = Int(factor == 1 ? size : size.dropLast()), number > 0 else { return nil }
            // There must also be room for the items that the bench adds.
            itemCounts.append(min(number * factor, Limits.itemCount - StoreBenchTurn.addedItemCount))
        }
        self.itemCounts = itemCounts.isEmpty ? [1_000, 10_000, 100_000] : itemCounts
    }

    func run() throws {
        // Before the measurements, so that no time is lost on a file that cannot be written.
        writeChart()
        print(
            """
            Generic passwords with six attributes and a secret of 64 bytes, four of each service. Medians of interleaved
            turns. SQLite and SQLCipher: a table with UNIQUE (acct, svce) and an index on svce, WAL, a raw key, prepared
            statements, otherwise default settings. Our vault: device key, anchor, one thread.
            """
        )
        for kind in SQLiteSubject.Kind.allCases { try describe(kind) }
        for itemCount in itemCounts { try measure(itemCount) }
        writeChart()
    }

    private func writeChart() {
        guard let chartPath else { return }
        do {
            try chart.svg().write(toFile: chartPath, atomically: true, encoding: .utf8)
        } catch {
            let reason = error.localizedDescription
            FileHandle.standardError.write(Data("VaultBench: cannot write the chart to \(chartPath): \(reason)\n".utf8))
            exit(2)
        }
    }

    /// Prints the version of the library, or how to install it.
    private func describe(_ kind: SQLiteSubject.Kind) throws {
        try withPlace { place in
            guard let subject = try SQLiteSubject(kind, in: place) else {
                print(
                    """
                    \(kind.name): not installed, so its columns are empty; to install it:
                        apt-get install -y --no-install-recommends \(kind.packageName)
                    """
                )
                return
            }
            print("\(kind.name): version \(try subject.version())")
        }
    }

    private func measure(_ itemCount: Int) throws {
        try withPlace { place in
            var turn = try StoreBenchTurn(itemCount: itemCount, in: place, chart: chart)
            try turn.run()
        }
    }

    /// Passes to `body` a directory on the disk of temporary files.
    private func withPlace(_ body: (StorePlace) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-bench-\(UUID())")
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(StorePlace(directory: directory.path))
    }
}
