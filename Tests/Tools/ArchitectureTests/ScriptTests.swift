import Foundation
import TestSupport
import Testing

/// `dev` and the scripts that it dispatches to.
@Suite("Scripts of dev") struct ScriptTests {
    @Test func `the help lists the verbs that are dispatched, and no others`() throws {
        let listed = try text("dev").matches(of: /(?m)^  (\w+)  +\S/).map { String($0.1) }
        let dispatched = try scripts().map(\.verb) + ["help"]
        #expect(listed.sorted() == dispatched.sorted())
    }

    @Test func `a verb is a function of its script, which describes it`() throws {
        for (verb, script) in try scripts() {
            let text = try text("Scripts/\(script).sh")
            let function = verb == "test" ? "run_tests" : verb
            #expect(text.contains("\n\(function)() {"), "\(verb)")
            let usage = /\n# \.\/dev (\w+)/
            #expect(text.matches(of: usage).contains { $0.1 == verb }, "\(verb)")
        }
    }

    /// The verbs with their scripts, in `script_of`.
    private func scripts() throws -> [(verb: String, script: String)] {
        let rows = try text("dev").matches(of: /(?m)^        (?<verbs>[a-z |]+)\) echo (?<script>[a-z]+|"\$1") ;;$/)
        return rows.flatMap { row in
            row.verbs.split(separator: " | ").map { verb in
                (String(verb), row.script == "\"$1\"" ? String(verb) : String(row.script))
            }
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }
}
