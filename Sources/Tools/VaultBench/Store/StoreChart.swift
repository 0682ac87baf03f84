import Foundation

/// A picture of the store bench in SVG: one panel for each figure, one line for each store.
final class StoreChart {
    /// A figure that the chart shows.
    enum Panel: String, CaseIterable {
        case durableAdd = "Durable add of one item"
        case transactions = "Adds in transactions of 1,000"
        case lookup = "Lookup with secret"
        case absent = "Lookup of missing items"
        case service = "Query by service, 4 results"
        case attributes = "Lookup and all attributes"
        case open = "Open and first lookup"

        var unit: String {
            switch self {
            case .durableAdd: "µs, lower is better"
            case .open: "ms, lower is better"
            default: "per second, higher is better"
            }
        }
    }

    /// The series of the append that every durable add includes.
    static let rawAppend = "raw append into zeros"

    private typealias Style = (name: String, color: String, width: Int, dashes: String)
    private static let styles: [Style] = [
        ("Coffer", "#0b5fbf", 3, "none"),
        ("SQLite", "#c2410c", 2, "none"),
        ("SQLCipher", "#15803d", 2, "7 3"),
        (rawAppend, "#6b7280", 2, "2 3"),
    ]
    private static let columnCount = 4
    private static let panelSize = (width: 300.0, height: 240.0)
    private static let headerHeight = 64.0
    private static let margin = 16.0

    private var points: [Panel: [String: [(itemCount: Double, value: Double)]]] = [:]

    /// Adds a point to the line of a store; stores without a style are not drawn.
    func add(_ panel: Panel, _ series: String, itemCount: Int, _ value: Double) {
        points[panel, default: [:]][series, default: []].append((Double(itemCount), value))
    }

    /// Returns the picture, which says when and where the figures were measured.
    func svg() -> String {
        let rowCount = (Panel.allCases.count + Self.columnCount) / Self.columnCount
        let width = Self.panelSize.width * Double(Self.columnCount) + 2 * Self.margin
        let height = Self.headerHeight + Self.panelSize.height * Double(rowCount) + Self.margin
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" role="img" \
            font-family="system-ui, sans-serif" font-size="12" fill="#1f2937">
            <title>Coffer compared with SQLite and SQLCipher</title>
            <rect width="100%" height="100%" fill="#ffffff"/>
            """,
            Self.text("Coffer compared with SQLite and SQLCipher", 2 * Self.margin, 30, "font-size=\"20\""),
            Self.text("\(Self.origin). Medians by the number of items; all axes are logarithmic.", 2 * Self.margin, 50),
        ]
        for (index, panel) in Panel.allCases.enumerated() {
            lines += Self.placed(index, drawn(panel, points[panel] ?? [:]))
        }
        lines += Self.placed(Panel.allCases.count, Self.legend)
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    // MARK: - Parts

    /// Moves the lines of a panel to its place in the grid.
    private static func placed(_ index: Int, _ lines: [String]) -> [String] {
        let x = margin + panelSize.width * Double(index % columnCount)
        let y = headerHeight + panelSize.height * Double(index / columnCount)
        return ["<g transform=\"translate(\(x) \(y))\">"] + lines + ["</g>"]
    }

    private func drawn(_ panel: Panel, _ series: [String: [(itemCount: Double, value: Double)]]) -> [String] {
        let (left, right, top, bottom) = (48.0, Self.panelSize.width - 20, 54.0, Self.panelSize.height - 42)
        var lines = [
            Self.text(panel.rawValue, 16, 20, "font-size=\"14\" font-weight=\"600\""),
            Self.text(panel.unit, 16, 36, "fill=\"#4b5563\""),
        ]
        let all = series.values.flatMap { $0 }
        guard let x = Axis(exactly: all.map(\.itemCount), from: left + 14, to: right - 14),
            let y = Axis(around: all.map(\.value), from: bottom, to: top)
        else { return lines + [Self.text("not measured", left, 100)] }
        for tick in y.ticks {
            let position = y.position(tick)
            lines.append("<path d=\"M\(left) \(position)H\(right)\" stroke=\"#d1d5db\"/>")
            lines.append(Self.text(Self.short(tick), left - 6, position + 4, "text-anchor=\"end\""))
        }
        for tick in x.ticks {
            lines.append(Self.text(Self.short(tick), x.position(tick), bottom + 17, "text-anchor=\"middle\""))
        }
        lines.append(Self.text("items", (left + right) / 2, bottom + 32, "text-anchor=\"middle\" fill=\"#4b5563\""))
        // Ours last, on top of the others.
        for style in Self.styles.reversed() {
            let positions = (series[style.name] ?? []).sorted { $0.itemCount < $1.itemCount }
                .map { (x.position($0.itemCount), y.position($0.value)) }
            lines.append(Self.line(style, positions))
        }
        return lines
    }

    private static var legend: [String] {
        styles.enumerated().flatMap { index, style in
            let y = 56 + 28 * Double(index)
            return [line(style, [(48, y), (92, y)]), text(style.name, 104, y + 4)]
        }
    }

    private static func line(_ style: Style, _ positions: [(Double, Double)]) -> String {
        let path = positions.map { "\($0) \($1)" }.joined(separator: "L")
        let radius = style.width + 1
        let dots = positions.map { "<circle cx=\"\($0)\" cy=\"\($1)\" r=\"\(radius)\" fill=\"\(style.color)\"/>" }
        let stroke = "stroke=\"\(style.color)\" stroke-width=\"\(style.width)\" stroke-dasharray=\"\(style.dashes)\""
        return path.isEmpty ? "" : "<path d=\"M\(path)\" fill=\"none\" \(stroke)/>\(dots.joined())"
    }

    private static func text(_ content: String, _ x: Double, _ y: Double, _ attributes: String = "") -> String {
        let escaped = content.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return "<text x=\"\(x)\" y=\"\(y)\" \(attributes)>\(escaped)</text>"
    }

    private static func short(_ number: Double) -> String {
        let (scaled, suffix) =
            number >= 1e6 ? (number / 1e6, "M") : number >= 1e3 ? (number / 1e3, "k") : (number, "")
        return String(format: "%.3g", scaled) + suffix
    }

    /// The date and the machine.
    private static var origin: String {
        let machine = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n")
            .first { $0.hasPrefix("model name") }?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
        let processorCount = ProcessInfo.processInfo.activeProcessorCount
        return "\(Date.now.formatted(.iso8601.year().month().day())), \(machine ?? "unknown processor"), "
            + "\(processorCount) CPUs"
    }
}

/// A logarithmic axis.
private struct Axis {
    let ticks: [Double]
    private let bounds: (low: Double, high: Double)
    private let pixels: (start: Double, end: Double)

    /// Makes an axis with a tick at each value; nil without values.
    init?(exactly values: [Double], from start: Double, to end: Double) {
        guard let low = values.min(), let high = values.max() else { return nil }
        ticks = Set(values).sorted()
        // A single value is in the middle.
        bounds = low < high ? (low, high) : (low / 2, high * 2)
        pixels = (start, end)
    }

    /// Makes an axis from one round number to another, with the values between them; nil without values.
    init?(around values: [Double], from start: Double, to end: Double) {
        guard let low = values.min(), let high = values.max(), low > 0 else { return nil }
        let powers = stride(from: floor(log10(low)), through: ceil(log10(high)) + 1, by: 1).map { pow(10, $0) }
        let round = powers.flatMap { [$0, 2 * $0, 5 * $0] }
        let first = round.last { $0 <= low } ?? low
        let last = round.first { $0 >= high && $0 > first } ?? high
        // The labels of three decades would touch each other.
        let isLong = last / first > 200
        ticks = (isLong ? powers : round).filter { first...last ~= $0 }
        bounds = (first, last)
        pixels = (start, end)
    }

    /// Returns the position of a value, in tenths of a pixel.
    func position(_ value: Double) -> Double {
        let share = log(value / bounds.low) / log(bounds.high / bounds.low)
        return ((pixels.start + share * (pixels.end - pixels.start)) * 10).rounded() / 10
    }
}
