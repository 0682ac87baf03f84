internal import CofferBasics

/// What `doctor` has looked at, and how it is.
struct Checkup {
    /// How a thing is.
    enum State: String {
        case ok
        /// Somebody should look after it.
        case warning
        /// Something does not work because of it.
        case problem
    }

    /// One thing.
    struct Check {
        /// Which thing, in a word.
        let area: String
        let state: State
        let message: String
        /// What to do, each a line.
        var advice: [String] = []
        /// What the command ends with because of it.
        var code = ExitCode.success

        var json: JSON {
            [
                "area": .string(area), "status": .string(state.rawValue), "message": .string(message),
                "advice": .array(advice.map { .string($0) }), "code": .integer(Int64(code.rawValue)),
            ]
        }
    }

    private(set) var checks: [Check] = []

    /// Notes a thing that is as it should be.
    mutating func ok(_ area: String, _ message: String) {
        checks.append(Check(area: area, state: .ok, message: message))
    }

    /// Notes a thing that somebody should look after.
    mutating func warning(_ area: String, _ message: String, _ advice: [String] = []) {
        checks.append(Check(area: area, state: .warning, message: message, advice: advice))
    }

    /// Notes a thing because of which something does not work.
    mutating func problem(_ area: String, _ message: String, _ advice: [String] = [], _ code: ExitCode) {
        // What is wrong is often in the way of several things.
        guard !checks.contains(where: { $0.state == .problem && $0.message == message }) else { return }
        checks.append(Check(area: area, state: .problem, message: message, advice: advice, code: code))
    }

    /// Notes an error.
    mutating func problem(_ area: String, _ error: CommandError) {
        problem(area, error.message.replacing("\n", with: "; "), error.hints, error.code)
    }

    /// The code of the first problem.
    var code: ExitCode { checks.first { $0.state == .problem }?.code ?? .success }

    /// The gravest state.
    var state: State {
        if checks.contains(where: { $0.state == .problem }) { return .problem }
        return checks.contains { $0.state == .warning } ? .warning : .ok
    }
}

extension Checkup {
    /// Writes all checks: aligned for people, with tabs for programs.
    func write(to output: Output, isColoured: Bool) throws {
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
                case .ok: Style.good(word, isColoured)
                case .warning: Style.warning(word, isColoured)
                case .problem: Style.error(word, isColoured)
                }
            let area = check.area + String(repeating: " ", count: width - check.area.columnCount)
            let indentation = 9 + width
            let message = check.message.escapingInvisible
            try output.write(line: state + String(repeating: " ", count: 9 - word.count) + area + message)
            for line in check.advice {
                let arrow = Style.hint("->", isColoured)
                let advice = String(repeating: " ", count: indentation) + arrow + " " + line.escapingInvisible
                try output.write(line: advice)
            }
        }
    }
}
