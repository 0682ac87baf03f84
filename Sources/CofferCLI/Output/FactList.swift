internal import CofferBasics
internal import CofferScreen

/// A list of names and values, one per line: aligned at a terminal, otherwise separated by a tab.
struct FactList {
    private(set) var facts: [(name: String, value: String)] = []

    /// Adds a line, with invisible characters escaped; does nothing if `value` is nil.
    mutating func add(_ name: String, _ value: String?) {
        if let value { facts.append((name.escapingInvisible, value.escapingInvisible)) }
    }

    /// Writes the list.
    func write(to output: Output, isColored: Bool) throws {
        let width = facts.reduce(0) { max($0, $1.name.columnCount) } + 2
        for (name, value) in facts {
            guard output.isTerminal else {
                try output.write(line: "\(name)\t\(value)")
                continue
            }
            let padding = String(repeating: " ", count: max(1, width - name.columnCount - 1))
            try output.write(line: Style.heading("\(name):", isColored) + padding + value)
        }
    }
}
