import Foundation

/// The figures of one size, one per line, with our aim next to those that have one.
struct StoreTable {
    /// The value that a figure should reach.
    enum Aim {
        case atLeast(Double)
        case atMost(Double)
        /// This many times the figure of another store: at least its rate, or at most its time.
        case times(Double, of: Other)
    }

    /// What our figure is compared with.
    enum Other: String {
        case faster = "the faster"
        case sqlite = "SQLite"
        case sqlcipher = "SQLCipher"
    }

    /// The unit of a figure, which determines its format.
    enum Unit: String {
        case percent = "%"
        case perSecond = "k/s"
        case microseconds = "µs"
        case milliseconds = "ms"
        case seconds = "s"
        case bytes = "B"
        case mebibytes = "MiB"
        case mebibytesPerSecond = "MiB/s"

        var isRate: Bool { self == .perSecond || self == .mebibytesPerSecond }
    }

    let chart: StoreChart
    private let itemCount: Int
    private let columnNames: [String]

    /// Begins a table whose first column is our store; `chart` shows some of its lines.
    init(itemCount: Int, columns: [String], chart: StoreChart) {
        self.itemCount = itemCount
        self.chart = chart
        columnNames = columns
        print("\n\(Self.left("\(itemCount) items", 60))\(columns.map { Self.right($0, 12) }.joined())   aim")
    }

    /// Adds a line; a store without a value gets a dash.
    func add(_ name: String, _ values: [Double?], _ unit: Unit, aims: [Aim] = [], panel: StoreChart.Panel? = nil) {
        let values = values + Array(repeating: nil, count: max(0, columnNames.count - values.count))
        let columns = values.map { value in
            Self.right(value.map { Self.text($0, unit) } ?? "-", 12)
        }
        let verdicts = aims.compactMap { verdict($0, values, unit) }.joined(separator: "; ")
        print("  \(Self.left(name, 58))\(columns.joined())\(verdicts.isEmpty ? "" : "   \(verdicts)")")
        for case (let store, let value?) in zip(columnNames, values) {
            if let panel { chart.add(panel, store, itemCount: itemCount, value) }
        }
        // Shows progress during a long run.
        fflush(nil)
    }

    /// Returns the aim and whether it is met; nil if the other store was not measured.
    private func verdict(_ aim: Aim, _ values: [Double?], _ unit: Unit) -> String? {
        guard case let value?? = values.first else { return nil }
        switch aim {
        case .atLeast(let limit): return ">= \(Self.text(limit, unit)): \(value >= limit ? "met" : "MISSED")"
        case .atMost(let limit): return "<= \(Self.text(limit, unit)): \(value <= limit ? "met" : "MISSED")"
        case .times(let factor, let other):
            let others = zip(columnNames, values).dropFirst().filter { other == .faster || other.rawValue == $0.0 }
                .compactMap(\.1)
            guard let best = unit.isRate ? others.max() : others.min() else { return nil }
            let ratio = value / best
            let isMet = unit.isRate ? ratio >= factor : ratio <= factor
            let comparison = String(format: "\(unit.isRate ? ">=" : "<=") %g x \(other.rawValue): %.2f", factor, ratio)
            return "\(comparison) \(isMet ? "met" : "MISSED")"
        }
    }

    private static func text(_ value: Double, _ unit: Unit) -> String {
        let (scaled, decimals) =
            switch unit {
            case .perSecond: (value / 1000, 1)
            case .percent: (value * 100, 0)
            case .bytes: (value, 0)
            case .seconds, .milliseconds: (value, 2)
            case .microseconds, .mebibytes, .mebibytesPerSecond: (value, 1)
            }
        return String(format: "%.\(decimals)f \(unit == .percent ? "%%" : unit.rawValue)", scaled)
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text.padding(toLength: width, withPad: " ", startingAt: 0)
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
