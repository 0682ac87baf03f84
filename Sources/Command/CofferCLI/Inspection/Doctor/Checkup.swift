internal import CofferBasics
internal import CofferScreen

/// The results of `doctor`.
struct Checkup {
    /// The result of one check.
    enum State: String {
        case ok
        /// Works, but needs attention.
        case warning
        /// Keeps something from working.
        case problem
    }

    /// One check with its result.
    struct Check {
        /// What was checked, in a word or two.
        let area: String
        let state: State
        let message: String
        /// What to do, one line each.
        var advice: [String] = []
        /// The exit code that follows from it.
        var code = ExitCode.success

        var json: JSON {
            [
                "area": .string(area), "status": .string(state.rawValue), "message": .string(message),
                "advice": .array(advice.map { .string($0) }), "code": .integer(Int64(code.rawValue)),
            ]
        }
    }

    private(set) var checks: [Check] = []

    /// Records that something is as it should be.
    mutating func ok(_ area: String, _ message: String) {
        checks.append(Check(area: area, state: .ok, message: message))
    }

    /// Records that something needs attention.
    mutating func warning(_ area: String, _ message: String, _ advice: [String] = []) {
        checks.append(Check(area: area, state: .warning, message: message, advice: advice))
    }

    /// Records that something does not work.
    mutating func problem(_ area: String, _ message: String, _ advice: [String] = [], _ code: ExitCode) {
        // One fault often makes several checks fail.
        guard !checks.contains(where: { $0.state == .problem && $0.message == message }) else { return }
        checks.append(Check(area: area, state: .problem, message: message, advice: advice, code: code))
    }

    /// Records an error.
    mutating func problem(_ area: String, _ error: CommandError) {
        problem(area, error.message.replacing(text: "\n", with: "; "), error.hints, error.code)
    }

    /// The code of the first problem.
    var code: ExitCode { checks.first { $0.state == .problem }?.code ?? .success }

    /// The worst state.
    var state: State {
        if checks.contains(where: { $0.state == .problem }) { return .problem }
        return checks.contains { $0.state == .warning } ? .warning : .ok
    }
}

extension Checkup {
    /// Writes all checks: aligned at a terminal, otherwise with tabs.
    func write(to output: Output, isColored: Bool) throws {
        let width = checks.reduce(0) { max($0, $1.area.columnCount) } + 2
        for check in checks {
            guard output.isTerminal else {
                try output.write(line: "\(check.state.rawValue)\t\(check.area)\t\(check.message.escapingInvisible)")
                for line in check.advice { try output.write(line: "advice\t\(check.area)\t\(line.escapingInvisible)") }
                continue
            }
            let word = check.state.rawValue
            let state: String =
                switch check.state {
                case .ok: Style.good(word, isColored)
                case .warning: Style.warning(word, isColored)
                case .problem: Style.error(word, isColored)
                }
            let area = check.area + String(repeating: " ", count: width - check.area.columnCount)
            let indentation = String(repeating: " ", count: 9 + width)
            func wrapped(_ text: String, _ indentation: String) -> String {
                let lines = text.escapingInvisible.wrapped(to: output.columnCount - indentation.count)
                return lines.joined(separator: "\n\(indentation)")
            }
            let padding = String(repeating: " ", count: 9 - word.count)
            try output.write(line: state + padding + area + wrapped(check.message, indentation))
            for line in check.advice {
                let arrow = Style.hint("->", isColored)
                try output.write(line: "\(indentation)\(arrow) \(wrapped(line, indentation + "   "))")
            }
        }
    }
}
