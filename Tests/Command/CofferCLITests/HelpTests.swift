import CofferCLI
import Foundation
import TestSupport
import Testing

@Suite("Help", .temporaryDirectory) struct HelpTests {
    @Test(arguments: VerbTable.names)
    func `the help of a verb fits 80 columns`(name: String) throws {
        let result = try CommandSample().run(.init(words: name.split(separator: " ").map(String.init) + ["--help"]))
        #expect(result.status == 0)
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first?.hasPrefix("Usage: coffer \(name)") == true)
        for line in lines { #expect(line.count <= 80, "\(line)") }
    }

    @Test func `the first page names verbs and fits a small terminal`() throws {
        let sample = try CommandSample()
        let text = sample.run("--help").text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 24)
        for line in lines { #expect(line.count <= 80, "\(line)") }
        let named = lines.flatMap { $0.firstMatch(of: /^  \w+  +([a-z ]+)$/)?.1.split(separator: " ") ?? [] }
        #expect(Set(named) == Set(VerbTable.names.map { $0.prefix { $0 != " " } }))
        for call in lines.compactMap({ $0.firstMatch(of: /^  coffer ([a-z]+)/)?.1 }) { #expect(named.contains(call)) }
        #expect(sample.run("help").text == text)
        #expect(sample.run().text == text)
    }

    @Test func `the page of all verbs names each and fits 80 columns`() throws {
        let lines = try CommandSample().run("help", "--all").text.split(separator: "\n").map(String.init)
        for line in lines { #expect(line.count <= 80, "\(line)") }
        let words = Set(VerbTable.names.map { $0.prefix { $0 != " " } })
        for word in words { #expect(lines.contains { $0.hasPrefix("  \(word)  ") }, "\(word)") }
        // As many as a person reads through; each has its place among its neighbours.
        #expect(words.count <= 44)
    }

    /// Whoever can use a verb can find its code.
    @Test func `the folder of a verb's file is the first word of its heading in the help`() throws {
        let command = Repository.root.appending(path: "Sources/Command/CofferCLI")
        let form = /static let \w+(?:: Verb)? = (?:\{\s*var verb = )?\w+\((?:\s*\w+\.self,)?\s*"([a-z -]+)",/
        var folders: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: command.path) where path.hasSuffix(".swift") {
            let source = try String(contentsOf: command.appending(path: path), encoding: .utf8)
            for match in source.matches(of: form) { folders[String(match.1)] = String(path.prefix { $0 != "/" }) }
        }
        let help = try JSONSerialization.jsonObject(with: Data(CommandSample().run("help", "--json").text.utf8))
        let verbs = try #require((help as? [String: Any])?["verbs"] as? [[String: Any]])
        for verb in verbs {
            let name = try #require(verb["name"] as? String)
            let heading = try #require(verb["topic"] as? String).prefix { $0 != " " }
            #expect(folders.removeValue(forKey: name)?.lowercased() == heading.lowercased(), "\(name)")
        }
        #expect(folders.keys.filter(VerbTable.names.contains) == [])
        let page = try String(contentsOf: Repository.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
        for name in try FileManager.default.contentsOfDirectory(atPath: command.path) where !name.hasSuffix(".swift") {
            let isNamed = page.contains("`\(name)`")
            #expect(isNamed, "\(name)")
        }
    }

    @Test(arguments: VerbTable.formerCalls)
    func `a former name has the help of the verb, and no help offers it`(former: String, now: String) throws {
        let sample = try CommandSample()
        func help(_ name: String) -> String {
            sample.run(.init(words: name.split(separator: " ").map(String.init) + ["--help"])).text
        }
        #expect(help(former) == help(now))
        #expect(!VerbTable.names.contains(former))
        #expect(!sample.run("help", "--all").text.contains("  \(former)  "))
    }

    @Test func `verb names are unique`() {
        #expect(Set(VerbTable.names).count == VerbTable.names.count)
    }
}

@Suite("Exit codes") struct ExitCodeTests {
    @Test func `the table of the specification has every code with its meaning`() throws {
        let spec = URL(filePath: #filePath).appending(path: "../../../../Spec/command.md").standardized
        let text = try String(contentsOf: spec, encoding: .utf8)
        let section = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("3. Exit codes") })
        let rows = section.split(separator: "\n").compactMap { line -> String? in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2, let number = UInt8(cells[0]) else { return nil }
            // Apple's status name follows in parentheses, and further uses of the code after a semicolon.
            let meaning = cells[1].split(separator: ";")[0].split(separator: " (`")[0]
            return "\(number) \(meaning)"
        }
        #expect(rows == ExitCode.allCases.sorted { $0.rawValue < $1.rawValue }.map { "\($0.rawValue) \($0.meaning)" })
    }

    @Test func `each exit code has one number and one meaning`() {
        #expect(Set(ExitCode.allCases.map(\.rawValue)).count == ExitCode.allCases.count)
        #expect(Set(ExitCode.allCases.map(\.meaning)).count == ExitCode.allCases.count)
        // Shells use 128 and above for signals.
        #expect(ExitCode.allCases.allSatisfy { $0.rawValue < 128 })
    }

    // The numbers of Apple's SecBase.h.
    @Test(arguments: [
        (Int32(-25300), ExitCode.notFound, UInt8(44)), (-25299, .duplicate, 45), (-25308, .locked, 36),
        (-25293, .wrongSecret, 51), (-34018, .missingEntitlement, 30), (-25303, .noSuchAttribute, 41),
        (-25306, .noSuchClass, 38), (-26275, .undecodable, 93), (-25291, .unavailable, 53),
    ])
    func `exit codes of Apple's status codes are their low eight bits`(status: Int32, code: ExitCode, number: UInt8) {
        #expect(code.rawValue == number)
        #expect(UInt8(truncatingIfNeeded: status) == number)
    }

    // The table of the specification.
    @Test(arguments: [
        (ExitCode.success, UInt8(0)), (.failure, 1), (.usage, 2), (.damaged, 60), (.inconsistent, 61), (.notAVault, 62),
        (.deviceKeyNeeded, 63), (.busy, 64), (.noVault, 65), (.alreadyExists, 66), (.readOnly, 67), (.diskFull, 68),
        (.tooLarge, 69), (.ambiguous, 70), (.permissions, 71), (.malformedEntitlements, 72), (.rolledBack, 73),
        (.inputOutput, 74), (.outOfMemory, 75),
    ])
    func `exit codes without an Apple status code start at 60`(code: ExitCode, number: UInt8) {
        #expect(code.rawValue == number)
    }
}
