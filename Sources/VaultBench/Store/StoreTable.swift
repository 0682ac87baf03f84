import Foundation

/// The figures of one size, one per line, with the design's aim next to those that have one.
struct StoreTable {
    /// The value that a figure should reach.
    enum Aim {
        case atLeast(Double)
        case atMost(Double)

        func isMet(by value: Double) -> Bool {
            switch self {
            case .atLeast(let limit): value >= limit
            case .atMost(let limit): value <= limit
            }
        }
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
    }

    private let columnNames: [String]

    /// Begins a table whose first column is our store.
    init(title: String, columns: [String]) {
        columnNames = columns
        print("\n\(Self.left(title, 60))\(columns.map { Self.right($0, 12) }.joined())   aim")
    }

    /// Adds a line; a store without a value gets a dash.
    func add(_ name: String, _ values: [Double?], _ unit: Unit, aim: Aim? = nil) {
        let values = values + Array(repeating: nil, count: max(0, columnNames.count - values.count))
        let columns = values.map { value in
            Self.right(value.map { Self.text($0, unit) } ?? "-", 12)
        }
        print("  \(Self.left(name, 58))\(columns.joined())\(remark(aim, values.first ?? nil, unit))")
        // Shows progress during a long run.
        fflush(nil)
    }

    private func remark(_ aim: Aim?, _ value: Double?, _ unit: Unit) -> String {
        guard let aim, let value else { return "" }
        let verdict = aim.isMet(by: value) ? "met" : "MISSED"
        switch aim {
        case .atLeast(let limit): return "   >= \(Self.text(limit, unit))  \(verdict)"
        case .atMost(let limit): return "   <= \(Self.text(limit, unit))  \(verdict)"
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
