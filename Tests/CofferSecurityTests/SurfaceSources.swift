import Foundation
import TestSupport

/// What the sources of the module declare, as they are written.
enum SurfaceSources {
    /// The files, each as one text.
    static func texts() throws -> [String] {
        try Repository.swiftFiles(in: "Sources/CofferSecurity").map {
            try String(contentsOf: Repository.root.appending(path: $0), encoding: .utf8)
        }
    }

    /// The names of all constants and status codes that are public.
    static func names() throws -> [String] {
        let pattern = /\bpublic\b[^\n]*?\b(?:let|var)\s+(?<name>(?:kSec|errSec)\w+)/
        return try texts().flatMap { $0.matches(of: pattern).map { String($0.name) } }
    }

    /// The comments of the status codes, by name.
    static func statusComments() throws -> [String: String] {
        let pattern = /\/\/\/ (?<comment>[^\n]*)\npublic let (?<name>errSec\w+): OSStatus/
        let found = try texts().flatMap { $0.matches(of: pattern).map { (String($0.name), String($0.comment)) } }
        return Dictionary(found) { "\($0) \($1)" }
    }
}
