package import Foundation

/// The checkout that the tests were built from.
package enum Repository {
    /// The top directory of the checkout.
    package static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the Swift files below `directory`, by path relative to the top directory, sorted.
    package static func swiftFiles(in directory: String) throws -> [String] {
        files(endingIn: ".swift", in: directory)
    }

    /// Returns the files below `directory` whose names end in `suffix`, by path relative to the top directory, sorted.
    package static func files(endingIn suffix: String, in directory: String = "") -> [String] {
        let base = root.appending(path: directory)
        let files = FileManager.default
            .enumerator(at: base, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)?
            .compactMap { ($0 as? URL)?.path }
        return (files ?? [])
            .filter { $0.hasSuffix(suffix) }
            .map { String($0.dropFirst(root.path.count).drop { $0 == "/" }) }
            .sorted()
    }

    /// Returns the content of the file at `path`, relative to the top directory.
    package static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
