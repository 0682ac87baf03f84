/// Names and what stands behind them: aligned for people, with a tab between them for programs.
struct FieldList {
    private var fields: [(name: String, value: String)] = []

    /// Adds a field.
    mutating func add(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    /// Writes the fields, each a line.
    func write(to output: Output, isColoured: Bool) throws(CommandError) {
        let width = fields.reduce(0) { max($0, $1.name.columnCount) } + 1
        for (name, value) in fields {
            guard output.isTerminal else {
                try output.write(line: "\(name)\t\(value)")
                continue
            }
            let gap = String(repeating: " ", count: width - name.columnCount)
            try output.write(line: Style.heading("\(name):", isColoured) + gap + value)
        }
    }
}
