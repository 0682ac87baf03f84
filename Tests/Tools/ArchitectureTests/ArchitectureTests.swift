import Foundation
import Testing
import TestSupport

/// The foreign modules that each module in the table imports, beside Foundation.
private let otherImports: [String: Set<String>] = [
    "CofferBasics": ["Glibc", "Synchronization"],
    "VaultCrypto": ["CCofferSodium", "CCofferZlib"],
    "VaultFiles": ["CCofferLinux", "Glibc", "Synchronization"],
    "Coffer": ["Synchronization"],
    "CofferTesting": ["Testing"],
    "CofferCertificates": ["CCofferLibcrypto"],
    "CofferSecurity": ["Dispatch"],
    "CofferFleet": ["CCofferCurl"],
    "CofferLibrary": ["CCoffer", "CCofferLinux", "Glibc"],
    "CommandSystem": ["CCofferLinux", "CProgramStart", "Glibc", "Synchronization"],
]

/// What `ARCHITECTURE.md` says.
private struct Map {
    /// A row of the table of modules: those of our modules that a module imports.
    struct Module {
        let name: String
        let imports: Set<String>
    }

    /// A row of the table of wings.
    struct Wing {
        let name: String
        let imports: Set<String>
        let forbidden: Set<String>
    }

    let text: String

    init() throws {
        text = try String(contentsOf: Repository.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
    }

    var modules: [Module] {
        let row = /(?m)^\| (?<name>[A-Z]\w+) \| [^|]+ \| (?<imports>[\w –]+) \|$/
        return text.matches(of: row).map { Module(name: String($0.name), imports: words($0.imports)) }
    }

    var wings: [Wing] {
        let row = /(?m)^\| (?<name>[A-Z]\w+) \| [^|]+ \| [^|]+ \| (?<imports>[\w ]*)\| (?<forbidden>[\w ]*)\|$/
        return text.matches(of: row).map {
            Wing(name: String($0.name), imports: words($0.imports), forbidden: words($0.forbidden))
        }
    }

    /// The wings of the picture, each with what is in it.
    var picture: [String: Set<String>] {
        let block = text.firstMatch(of: /```\n(Sources\/\n.+?)Tests\//.dotMatchesNewlines())?.1 ?? ""
        let remarks = block.replacing(/\([^)]*\)/, with: "").replacing("programs to read", with: "")
        var (picture, wing): ([String: Set<String>], String) = ([:], "")
        for line in remarks.split(separator: "\n").dropFirst() {
            let parts = line.split(separator: "/", maxSplits: 1)
            if parts.count == 2 { wing = parts[0].trimmingPrefix("  ").description }
            picture[wing, default: []].formUnion(words(parts[parts.count - 1].replacing("·", with: " ")))
        }
        return picture
    }

    /// The targets that may import Foundation, in a sentence of the page; wings stand for all of their targets.
    var withFoundation: Set<String> {
        let sentence = text.firstMatch(of: /Only ([^.]+?) import Foundation/)?.1 ?? ""
        return Set(sentence.matches(of: /[A-Z]\w+/).map { String($0.output) })
    }

    private func words(_ text: some StringProtocol) -> Set<String> {
        Set(text.split(separator: " ").map { String($0) }).subtracting(["–"])
    }
}

/// A directory of `Sources` that is a target.
private struct Target: Hashable {
    let wing: String
    let name: String

    /// The target that the file at `path` belongs to.
    init(of path: String) {
        let parts = path.split(separator: "/").map(String.init)
        wing = parts[1]
        name = parts[2]
    }
}

@Suite("Architecture") struct ArchitectureTests {
    private let map: Map
    private let imported: [Target: Set<String>]

    /// What each target imports, read once for all tests.
    private static let imported = Result {
        var imported: [Target: Set<String>] = [:]
        for path in try Repository.swiftFiles(in: "Sources") {
            let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
            imported[Target(of: path), default: []].formUnion(imports(in: text))
        }
        return imported
    }

    init() throws {
        map = try Map()
        imported = try Self.imported.get()
    }

    /// A test or a tool that wrote to the directory in which it runs has left something there.
    @Test func `the first level has nothing but what people look for there`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
        let expected = """
            ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md Fixtures Guides LICENSE Package.swift README.md SECURITY.md \
            Scripts Sources Spec Tests dev
            """
        #expect(names.filter { !$0.hasPrefix(".") }.sorted() == expected.split(separator: " ").map(String.init))
    }

    @Test func `the picture shows every directory of each wing`() throws {
        let files = FileManager.default
        let wings = try files.contentsOfDirectory(atPath: Repository.root.appending(path: "Sources").path)
        #expect(Set(map.picture.keys) == Set(wings))
        for wing in wings where wing != "Examples" {
            let names = try files.contentsOfDirectory(atPath: Repository.root.appending(path: "Sources/\(wing)").path)
            #expect(map.picture[wing] == Set(names), "\(wing)")
        }
    }

    @Test func `a wing imports only what its row allows`() {
        #expect(map.wings.count == 8)
        let wingOfModule = Dictionary(imported.keys.map { ($0.name, $0.wing) }) { one, _ in one }
        for wing in map.wings {
            for (target, modules) in imported where target.wing == wing.name {
                let wings = Set(modules.compactMap { wingOfModule[$0] })
                #expect(wings.subtracting([wing.name]).isSubset(of: wing.imports), "\(target.name)")
                #expect(modules.isDisjoint(with: wing.forbidden), "\(target.name)")
            }
        }
    }

    @Test func `a wing imports only wings above it`() {
        var above: Set<String> = []
        for wing in map.wings {
            #expect(wing.imports.isSubset(of: above), "\(wing.name)")
            above.insert(wing.name)
        }
    }

    @Test func `only the targets that the page names import Foundation`() {
        let all = imported.filter { $0.value.contains { $0.hasPrefix("Foundation") } }.map(\.key)
        let named = all.map { ["Examples", "Tools"].contains($0.wing) ? $0.wing : $0.name }
        #expect(Set(named) == map.withFoundation)
    }

    @Test func `the files of each module import what the table lists`() {
        #expect(map.modules.count > 10, "the table was not found")
        for module in map.modules {
            let found = imported.first { $0.key.name == module.name }?.value ?? []
            let foreign = otherImports[module.name] ?? []
            #expect(found.filter { !$0.hasPrefix("Foundation") } == module.imports.union(foreign), "\(module.name)")
        }
    }

    @Test func `the table lists every module that is a product or part of one`() {
        let modules = imported.keys.filter { !["Examples", "Tools"].contains($0.wing) && $0.name != "ImportSecurity" }
        #expect(Set(modules.map(\.name)) == Set(map.modules.map(\.name)))
    }

    @Test func `modules have names that other packages do not use`() throws {
        // They must be unique in a package graph. The others are products, or reached only by the command.
        let others = ["KeyedArchive", "KeyedArchiveFoundation", "LocalPersistence", "CommandSystem"]
        for module in map.modules where !others.contains(module.name) {
            #expect(module.name.hasPrefix("Coffer") || module.name.hasPrefix("Vault"), "\(module.name)")
        }
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        let libraries = manifest.matches(of: /(?:system\(|systemLibrary\(name: )"(\w+)"/).map { String($0.1) }
        #expect(!libraries.isEmpty)
        for name in libraries { #expect(name.hasPrefix("CCoffer"), "\(name)") }
    }

    @Test func `a module imports only those above it in the table`() {
        var above: Set<String> = []
        for module in map.modules {
            #expect(module.imports.isSubset(of: above), "\(module.name)")
            above.insert(module.name)
        }
    }

    @Test func `the manifest declares the dependencies in the table`() throws {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        let target = /(?:module|program)\(\s*"\w+\/(?<name>\w+)"(?<list>[^)]*)\)/
        let ours = Set(map.modules.map(\.name))
        var declared: [String: Set<String>] = [:]
        for match in manifest.matches(of: target) {
            declared[String(match.name)] = Set(match.list.matches(of: /\w+/).map { String($0.output) }).intersection(
                ours
            )
        }
        for module in map.modules { #expect(declared[module.name] == module.imports, "\(module.name)") }
    }

    @Test func `no two modules declare types with the same name`() throws {
        let declaration =
            /^(?:@\w+(?:\([^)]*\))? |(?:public|package|internal|final|indirect|nonisolated) )*(?:struct|class|enum|protocol|actor|typealias) (?<name>\w+)/
        var modules: [String: Set<String>] = [:]
        for path in try Repository.swiftFiles(in: "Sources") {
            let target = Target(of: path)
            guard !["Examples", "Tools"].contains(target.wing) else { continue }
            let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
            for match in text.matches(of: declaration.anchorsMatchLineEndings()) {
                modules[String(match.name), default: []].insert(target.name)
            }
        }
        #expect(modules.count > 500, "the declarations were not found")
        for (name, modules) in modules { #expect(modules.count == 1, "\(name): \(modules.sorted())") }
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
        #expect(imports(in: text) == modules)
    }
}

/// The modules that a file with this text imports.
private func imports(in text: String) -> [String] {
    let pattern =
        /^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(?<module>\w+)/
    return text.split(whereSeparator: { $0 == "\n" || $0 == ";" }).compactMap { line in
        // Most lines have none, and the pattern is slow.
        guard line.contains("import ") else { return nil }
        let line = line.trimmingPrefix(while: \.isWhitespace)
        guard let match = line.prefixMatch(of: pattern), match.module != "Swift" else { return nil }
        return String(match.module)
    }
}
