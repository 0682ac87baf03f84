internal import CofferBasics
internal import CofferScreen

/// A list of names and values, one per line: aligned at a terminal, otherwise separated by a tab.
struct FactList {
    private(set) var facts: [(name: String, value: String)] = []

    /// Adds a fact, with invisible characters except newlines escaped; does nothing if `value` is nil.
    mutating func add(_ name: String, _ value: String?) {
        if let value { facts.append((name.escapingInvisible, value.escapingInvisibleInLines)) }
    }

    /// Writes the list; a value of several lines stays below itself at a terminal, and is one line elsewhere.
    func write(to output: Output, isColored: Bool) throws {
        let width = facts.reduce(0) { max($0, $1.name.columnCount) } + 2
        for (name, value) in facts {
            guard output.isTerminal else {
                try output.write(line: "\(name)\t\(value.escapingInvisible)")
                continue
            }
            let padding = String(repeating: " ", count: max(1, width - name.columnCount - 1))
            let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
            let text = lines.joined(separator: "\n" + String(repeating: " ", count: width))
            try output.write(line: Style.heading("\(name):", isColored) + padding + text)
        }
    }
}
