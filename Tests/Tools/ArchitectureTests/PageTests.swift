import Foundation
import TestSupport
import Testing

/// A page of Markdown, with its code apart from its text.
private struct Page {
    /// A block of code, and the line before it.
    struct Code {
        let language: String
        let mark: String
        var lines: [String] = []
    }

    let path: String
    private(set) var text: [String] = []
    private(set) var code: [Code] = []

    init(path: String) throws {
        self.path = path
        var isCode = false
        for line in try Repository.text(of: path).split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.trimmingCharacters(in: .whitespaces)
            if content.hasPrefix("```") {
                isCode.toggle()
                if isCode { code.append(Code(language: String(content.dropFirst(3)), mark: text.last ?? "")) }
            } else if isCode {
                code[code.count - 1].lines.append(content)
            } else {
                text.append(String(line))
            }
        }
    }

    static func all() throws -> [Page] { try Repository.files(endingIn: ".md").map { try Page(path: $0) } }

    /// The relative links, whatever they lead to.
    var links: [String] {
        text.joined(separator: "\n").replacing(/`[^`\n]*`/, with: "")
            .matches(of: /\]\((?!\w+:)(?<link>[^)\s]+)\)/).map { String($0.link) }
    }

    /// The path, from the top directory, and the anchor that a link on this page leads to.
    func target(of link: String) -> (path: String, anchor: String?) {
        let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let anchor = parts.count > 1 ? parts[1] : nil
        guard !parts[0].isEmpty else { return (path, anchor) }
        let directory = URL(filePath: "/" + path).deletingLastPathComponent()
        return (String(directory.appending(path: parts[0]).standardized.path.dropFirst()), anchor)
    }

    /// The sections by their anchors, as sites that show Markdown make them, each up to the next heading of its level.
    var sections: [String: String] {
        var sections: [String: String] = [:]
        for (number, line) in text.enumerated() where line.hasPrefix("#") {
            let level = line.prefix { $0 == "#" }.count
            let rest = text[(number + 1)...].prefix { !$0.hasPrefix("#") || $0.prefix { $0 == "#" }.count > level }
            let title = line.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.dropFirst()
            sections[String(title.replacing(" ", with: "-"))] = ([line] + rest).joined(separator: "\n")
        }
        return sections
    }

    /// The numbers of its sections, such as 3 and 3.1.
    var numbers: Set<String> { Set(text.compactMap { $0.prefixMatch(of: /#+ (\d+(?:\.\d+)*)/).map { String($0.1) } }) }
}

@Suite("Pages") struct PageTests {
    @Test func `every link leads to a file, and to a heading that it has`() throws {
        let pages = try Page.all()
        let sections = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0.sections) })
        #expect(pages.flatMap(\.links).count > 200)
        for page in pages {
            for link in page.links {
                let target = page.target(of: link)
                let exists = FileManager.default.fileExists(atPath: Repository.root.appending(path: target.path).path)
                #expect(exists, "\(page.path): \(link)")
                if let anchor = target.anchor {
                    #expect(sections[target.path]?[anchor] != nil, "\(page.path): \(link)")
                }
            }
        }
    }

    @Test func `every section that a page or a comment cites exists`() throws {
        let sections = Dictionary(grouping: try Page.all()) { URL(filePath: $0.path).lastPathComponent }
            .mapValues { $0.reduce(into: Set()) { $0.formUnion($1.numbers) } }
        let citation = /(?<page>[\w-]+\.md)`?\)?,? sections? (?<numbers>(?:\d+(?:\.\d+)*(?:,? and |, | to )?)+)/
        var count = 0
        for path in Repository.files(endingIn: ".md") + Repository.files(endingIn: ".swift") {
            let lines = try lines(of: Repository.text(of: path))
            for (line, next) in zip(lines, lines.dropFirst() + [""]) where line.contains(".md") {
                // A citation may continue in the next line of a comment; its page is in the first.
                let text = line + " " + next.drop { "/ ".contains($0) }
                for match in text.matches(of: citation) where line.contains(match.page) {
                    for number in match.numbers.matches(of: /\d+(?:\.\d+)*/) {
                        let exists = sections[String(match.page)]?.contains(String(number.0))
                        #expect(exists == true, "\(path): \(match.0)")
                        count += 1
                    }
                }
            }
        }
        #expect(count > 150)
    }

    /// The lines of a block stand in one file that is compiled, in their order; others may stand between them.
    @Test func `all Swift on a page is compiled, unless a mark says why not`() throws {
        let files = try Repository.files(endingIn: ".swift").map { try lines(of: Repository.text(of: $0)) }
        var places: [Substring: Set<Int>] = [:]
        for (number, file) in files.enumerated() { for line in file { places[line, default: []].insert(number) } }
        var count = 0
        for page in try Page.all() {
            for code in page.code where code.language == "swift" && !code.mark.hasPrefix("<!-- not compiled: ") {
                let text = code.lines.map { $0.replacing(/\s*\/\/ .*/, with: "") }.joined(separator: "\n")
                let wanted = lines(of: text)
                let isCompiled = places[wanted.first ?? "", default: []].contains { number in
                    var rest = files[number][...]
                    return wanted.allSatisfy { line in
                        guard let place = rest.firstIndex(of: line) else { return false }
                        rest = rest[(place + 1)...]
                        return true
                    }
                }
                #expect(isCompiled, "\(page.path):\n\(text)")
                count += 1
            }
        }
        #expect(count > 30)
    }

    @Test func `the manifest of the guide is that of a test package`() throws {
        let guide = try Repository.text(of: "Guides/import-security.md")
        let tested = try Repository.text(of: "Tests/Apple/Packages/Neighbours/Package.swift")
        for words in [
            #".product(name: "Security", package: "coffer", condition: .when(platforms: [.linux]))"#,
            #".plugin(name: "ImportSecurity", package: "coffer")"#,
        ] {
            #expect(guide.contains(words) && tested.contains(words))
        }
    }

    @Test func `every word of the glossary is one of the section that defines it`() throws {
        let architecture = try Page(path: "ARCHITECTURE.md")
        let rows = try #require(architecture.sections["glossary"])
            .matches(of: /(?m)^\| (?<word>[a-z ]+) \| .+ \| \[.+\]\((?<link>Spec\/\S+)\) \|$/)
        #expect(rows.count >= 20)
        for row in rows {
            let target = architecture.target(of: String(row.link))
            let text = try Page(path: target.path).sections[try #require(target.anchor)] ?? ""
            #expect(text.contains(try Regex("\\b\(row.word)s?\\b").ignoresCase()), "\(row.word)")
        }
    }

    /// The lines that are not empty, without blanks at the start.
    private func lines(of text: String) -> [Substring] {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    }
}
