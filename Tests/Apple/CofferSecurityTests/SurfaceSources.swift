import Foundation
import TestSupport

/// The declarations in the sources of the module.
enum SurfaceSources {
    /// The text of each file.
    static func texts() throws -> [String] {
        try Repository.swiftFiles(in: "Sources/Apple/CofferSecurity").map {
            try String(contentsOf: Repository.root.appending(path: $0), encoding: .utf8)
        }
    }

    /// The names of all public constants and status codes.
    static func names() throws -> [String] {
        let pattern = /\bpublic\b[^\n]*?\b(?:let|var)\s+(?<name>(?:kSec|errSec|errSSL)\w+)/
        return try texts().flatMap { $0.matches(of: pattern).map { String($0.name) } }
    }

    /// The numbers of the status codes, by name.
    static func statusCodes() throws -> [String: Int32] {
        let pattern = /public let (?<name>err(?:Sec|SSL)\w+): OSStatus = (?<number>-?\d+)/
        let found = try texts().flatMap { text in
            text.matches(of: pattern).map { (String($0.name), Int32($0.number) ?? .max) }
        }
        return Dictionary(uniqueKeysWithValues: found)
    }
}
