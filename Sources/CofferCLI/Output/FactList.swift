internal import CofferBasics

/// What there is to know about one thing, a line for each: aligned for people, with a tab behind the name for programs.
struct FactList {
    private var facts: [(name: String, value: String)] = []

    /// Adds a fact, with invisible characters escaped; does nothing if there is no value.
    mutating func add(_ name: String, _ value: String?) {
        if let value { facts.append((name.escapingInvisible, value.escapingInvisible)) }
    }

    /// Writes the facts.
    func write(to output: Output, isColoured: Bool) throws {
        let width = facts.reduce(0) { max($0, $1.name.columnCount) } + 2
        for (name, value) in facts {
            guard output.isTerminal else {
                try output.write(line: "\(name)\t\(value)")
                continue
            }
            let padding = String(repeating: " ", count: max(1, width - name.columnCount - 1))
            try output.write(line: Style.heading("\(name):", isColoured) + padding + value)
        }
    }
}
