import Foundation
import VaultFormat

/// The size of a compacted vault, and the cost of building one and of reading single items.
struct FormatBench {
    private let itemCounts: [Int]

    init(itemCounts: [Int]?) {
        self.itemCounts = itemCounts ?? [1_000, 100_000, 1_000_000]
    }

    func run() throws {
        print("A compacted vault of generic passwords with eight attributes and secrets of 64 bytes.\n")
        print("      items   bytes/item   build   open+fence     page+box    absent")
        for itemCount in itemCounts { try measure(itemCount) }
    }

    private func measure(_ itemCount: Int) throws {
        let sample = try VaultSample()
        let puts = try sample.puts(count: itemCount)
        let clock = ContinuousClock()
        var bytes: [UInt8] = []
        let build = try clock.measure { bytes = try sample.snapshot(of: puts) }

        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).coffer")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let source = try BenchFileSource(path: file.path)
        defer { source.close() }

        let reader = try sample.opened(source)
        let dictionary = try reader.dictionary(0, keys: sample.dataKeys)
        let turns = 200
        let present = try (0..<turns).map { try sample.digest($0 * 7919 % itemCount) }
        let absent = try (0..<turns).map { try sample.digest(itemCount + $0) }
        var turn = 0
        let medians = try Measurement.medians(
            of: [
                .init(name: "open", repetitions: 1) { _ = try sample.opened(source) },
                .init(name: "page and box", repetitions: 1) {
                    turn += 1
                    guard try sample.metadata(present[turn % turns], reader, dictionary) != nil else {
                        throw CocoaError(.fileReadUnknown)
                    }
                },
                .init(name: "absent", repetitions: 1) {
                    guard try sample.metadata(absent[turn % turns], reader, dictionary) == nil else {
                        throw CocoaError(.fileReadUnknown)
                    }
                },
            ],
            turns: turns
        )
        let columns = [
            String(format: "%11d", itemCount),
            String(format: "%13.1f", Double(bytes.count) / Double(itemCount)),
            String(format: "%6.2f s", build / .seconds(1)),
            String(format: "%10.0f µs", medians[0] / 1000),
            String(format: "%10.1f µs", medians[1] / 1000),
            String(format: "%7.1f µs", medians[2] / 1000),
        ]
        print(columns.joined())
    }
}
