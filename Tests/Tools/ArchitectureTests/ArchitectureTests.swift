import Foundation
import Testing
import TestSupport

/// The foreign modules that each module in the table imports; the engine and the command do without Foundation.
private let otherImports: [String: Set<String>] = [
    "CofferBasics": ["Glibc", "Synchronization"],
    "CofferFoundation": ["FoundationEssentials"], "KeyedArchiveFoundation": ["FoundationEssentials"],
    "VaultCrypto": ["CCofferSodium", "CCofferZlib"],
    "CofferLibcrypto": ["CCofferLibcrypto"],
    "VaultFiles": ["CCofferLinux", "Glibc", "Synchronization"],
    "Coffer": ["Synchronization"],
    "CofferSecurity": ["Dispatch", "Foundation"],
    "CofferLocalAuthentication": ["Foundation"],
    "LocalPersistence": ["Foundation"],
    "CofferTesting": ["Testing"],
    "CofferEtcd": ["CCofferCurl"],
    "CofferLibrary": ["CCoffer", "CCofferLinux", "Glibc"],
    "CommandSystem": ["CCofferLinux", "CProgramStart", "Glibc", "Synchronization"],
]

/// A row of the table in `ARCHITECTURE.md`: a module and those of our modules that it imports.
private struct Module: Equatable {
    let name: String
    let imports: Set<String>

    /// The table, in its order.
    static func table() throws -> [Module] {
        let text = try String(contentsOf: Repository.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
        let row = /(?m)^\| (?<name>[A-Z]\w+) \| [^|]+ \| (?<imports>[\w –]+) \|$/
        return text.matches(of: row).map { match in
            let imports = match.imports.split(separator: " ").filter { $0 != "–" }.map(String.init)
            return Module(name: String(match.name), imports: Set(imports))
        }
    }
}

/// An import in a file of a target.
private struct Import: Equatable {
    let target: String
    let module: String
}

@Suite("Architecture") struct ArchitectureTests {
    @Test func `the files of each module import what the table lists`() throws {
        let table = try Module.table()
        #expect(table.count > 10, "the table was not found")
        var found: [String: Set<String>] = [:]
        for path in try Repository.swiftFiles(in: "Sources") {
            let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
            for one in imports(in: text, at: path) { found[one.target, default: []].insert(one.module) }
        }
        for module in table {
            let others = otherImports[module.name] ?? []
            #expect(found[module.name, default: []] == module.imports.union(others), "\(module.name)")
        }
    }

    @Test func `the table lists every module that is a product or part of one`() throws {
        let tools = /(?:Fuzz|FixtureTool|VaultBench|ImportSecurity|Examples\/\w+)/
        let targets = try Repository.swiftFiles(in: "Sources").map { target(of: $0) }
        let modules = Set(targets).filter { $0.wholeMatch(of: tools) == nil }
        #expect(try modules == Set(Module.table().map(\.name)))
    }

    @Test func `modules have names that other packages do not use`() throws {
        // They must be unique in a package graph. The others are products, or reached only by the command.
        let others = ["KeyedArchive", "KeyedArchiveFoundation", "LocalPersistence", "CommandSystem"]
        for module in try Module.table() where !others.contains(module.name) {
            #expect(module.name.hasPrefix("Coffer") || module.name.hasPrefix("Vault"), "\(module.name)")
        }
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        let libraries = manifest.matches(of: /\.systemLibrary\(name: "(\w+)"/).map { String($0.1) }
        #expect(!libraries.isEmpty)
        for name in libraries { #expect(name.hasPrefix("CCoffer"), "\(name)") }
    }

    @Test func `a module imports only those above it in the table`() throws {
        var above: Set<String> = []
        for module in try Module.table() {
            #expect(module.imports.isSubset(of: above), "\(module.name)")
            above.insert(module.name)
        }
    }

    @Test func `the manifest declares the dependencies in the table`() throws {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        let target = /\.(?:executableT|t)arget\(\s*name: "(?<name>\w+)"(?:,\s*dependencies: \[(?<list>[^\]]*)\])?/
        let table = try Module.table()
        let ours = Set(table.map(\.name))
        var declared: [String: Set<String>] = [:]
        for match in manifest.matches(of: target) {
            let names = (match.list ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
            declared[String(match.name)] = Set(names).intersection(ours)
        }
        for module in table { #expect(declared[module.name] == module.imports, "\(module.name)") }
    }

    @Test(arguments: [
        ("import Glibc", ["Glibc"]),
        ("public import KeyedArchive", ["KeyedArchive"]),
        ("@testable import struct Foundation.Data // why", ["Foundation"]),
        ("@preconcurrency internal import Foundation", ["Foundation"]),
        ("#if canImport(Glibc)\n    import Glibc\n#endif", ["Glibc"]),
        ("import Swift; import CCofferZlib", ["CCofferZlib"]),
        ("// import Glibc", []),
        ("/// import Glibc", []),
        ("let important = 1", []),
    ])
    func `every form of import is recognized`(text: String, modules: [String]) {
        #expect(imports(in: text, at: "Sources/Archive/KeyedArchive/A.swift").map(\.module) == modules)
    }

    /// The target that the file at `path` belongs to; each example and each plugin is a target of its own.
    private func target(of path: String) -> String {
        let parts = path.split(separator: "/").dropFirst()
        switch parts.first {
        case "Examples": return parts.prefix(2).joined(separator: "/")
        default:
            let names = parts.dropFirst().prefix(2)
            return names.first == "CofferCertificates" ? "Coffer\(names.last ?? "")" : String(names.first ?? "")
        }
    }

    private func imports(in text: String, at path: String) -> [Import] {
        let pattern =
            /^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(?<module>\w+)/
        return text.split(whereSeparator: { $0 == "\n" || $0 == ";" }).compactMap { line in
            let line = line.trimmingPrefix(while: \.isWhitespace)
            guard let match = line.prefixMatch(of: pattern), match.module != "Swift" else { return nil }
            return Import(target: target(of: path), module: String(match.module))
        }
    }
}
