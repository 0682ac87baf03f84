import Foundation
import Testing
import TestSupport

/// Which modules each target may import, beside Swift's own.
///
/// This is the picture of the house: arrows only point downwards, and SwiftPM alone would not notice one that does not.
private let allowedImports: [String: Set<String>] = [
    "CofferBasics": ["Glibc", "Synchronization"],
    "KeyedArchive": ["CofferBasics"],
    "KeyedArchiveFoundation": ["FoundationEssentials", "KeyedArchive"],

    "VaultCrypto": ["CofferBasics", "CSodium", "CZlib"],
    "VaultFormat": ["CofferBasics", "KeyedArchive", "VaultCrypto"],
    "VaultFiles": ["CLinux", "CofferBasics", "Glibc", "Synchronization"],
    "VaultStore": ["CofferBasics", "VaultCrypto", "VaultFiles", "VaultFormat"],
    "Coffer": [
        "CofferBasics", "KeyedArchive", "Synchronization", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
    ],

    "CofferSecurity": ["Coffer", "Dispatch", "Foundation", "StatusMessages"],
    "Security": ["CofferSecurity"],
    "LocalAuthentication": ["Foundation", "Synchronization"],
    "LocalPersistence": [
        "Coffer", "CofferBasics", "Foundation", "KeyedArchive", "KeyedArchiveFoundation", "VaultCrypto", "VaultFiles",
        "VaultFormat",
    ],
    "CofferTesting": ["Coffer", "CofferBasics", "Testing", "VaultFiles", "VaultFormat", "VaultStore"],
    "StatusMessages": [],

    "CommandSystem": ["CLinux", "CProgramStart", "Glibc", "Synchronization", "VaultFiles"],
    "CofferCLI": [
        "Coffer", "CofferBasics", "CommandSystem", "StatusMessages", "VaultCrypto", "VaultFiles", "VaultFormat",
        "VaultStore",
    ],
    "CofferCommand": ["CofferCLI"],

    // A plugin runs in the build, and is part of no program. What it writes imports Security.
    "Plugins/ImportSecurity": ["Foundation", "PackagePlugin", "Security"],

    "Examples/ArchiveTour": ["FoundationEssentials", "KeyedArchive", "KeyedArchiveFoundation"],
    "Examples/DeviceIdentity": ["Foundation", "Security"],
    "Examples/KeychainTour": ["Coffer", "FoundationEssentials"],
    "Examples/NotesApp": ["Foundation", "Security"],
    "Examples/NotesWidget": ["Foundation", "Security"],
    "Examples/StoreTour": [
        "FoundationEssentials", "KeyedArchive", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
    ],
    "Examples/TravelDiary": ["Foundation", "LocalPersistence"],
    "Examples/VaultTour": [
        "CofferBasics", "FoundationEssentials", "KeyedArchive", "VaultCrypto", "VaultFiles", "VaultFormat",
        "VaultStore",
    ],
    "FixtureTool": ["CofferBasics", "Foundation", "VaultCrypto", "VaultFormat"],
    "FuzzArchive": ["KeyedArchive"],
    "FuzzPlist": ["KeyedArchive"],
    "FuzzVault": ["CofferBasics", "Glibc", "KeyedArchive", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore"],
    "FuzzXML": ["KeyedArchive"],
    "VaultBench": [
        "Coffer", "CofferBasics", "CofferSecurity", "Foundation", "KeyedArchive", "KeyedArchiveFoundation",
        "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
    ],
]

/// One import that a file makes.
private struct Import: Equatable {
    let target: String
    let module: String
}

@Suite("Architecture") struct ArchitectureTests {
    @Test func `no file imports what its target may not`() throws {
        let files = try Repository.swiftFiles(in: "Sources")
        #expect(files.count > 20, "the sources were not found")
        var violations: [String] = []
        for path in files {
            let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
            for found in imports(in: text, at: path) where allowedImports[found.target]?.contains(found.module) != true
            {
                violations.append("\(path) imports \(found.module)")
            }
        }
        #expect(violations == [])
    }

    @Test func `the table has every target and no other`() throws {
        let targets = try Repository.swiftFiles(in: "Sources").map { target(of: $0) }
        #expect(Set(targets) == Set(allowedImports.keys))
    }

    @Test func `the table draws no circle`() {
        func reaches(_ start: String, _ goal: String, _ seen: Set<String> = []) -> Bool {
            guard let next = allowedImports[start], !seen.contains(start) else { return false }
            return next.contains(goal) || next.contains { reaches($0, goal, seen.union([start])) }
        }
        #expect(allowedImports.keys.filter { reaches($0, $0) } == [])
    }

    @Test(arguments: [
        ("import Glibc", ["Glibc"]),
        ("public import KeyedArchive", ["KeyedArchive"]),
        ("@testable import struct Foundation.Data // why", ["Foundation"]),
        ("@preconcurrency internal import Foundation", ["Foundation"]),
        ("#if canImport(Glibc)\n    import Glibc\n#endif", ["Glibc"]),
        ("import Swift; import CZlib", ["CZlib"]),
        ("// import Glibc", []),
        ("/// import Glibc", []),
        ("let important = 1", []),
    ])
    func `every form of import is seen`(text: String, modules: [String]) {
        #expect(imports(in: text, at: "Sources/KeyedArchive/A.swift").map(\.module) == modules)
    }

    /// The target that the file at `path` belongs to; each example and each plugin is a target of its own.
    private func target(of path: String) -> String {
        let parts = path.split(separator: "/").dropFirst()
        return parts.prefix(parts.first == "Examples" || parts.first == "Plugins" ? 2 : 1).joined(separator: "/")
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
