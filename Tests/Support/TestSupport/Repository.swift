package import Foundation

/// The checkout that the tests were built from.
package enum Repository {
    /// The top directory of the checkout.
    package static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the Swift files below `directory`, by path relative to the top directory, sorted.
    package static func swiftFiles(in directory: String) throws -> [String] {
        let base = root.appending(path: directory)
        guard let files = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil) else { return [] }
        return files.compactMap { ($0 as? URL)?.path }
            .filter { $0.hasSuffix(".swift") }
            .map { String($0.dropFirst(root.path.count).drop { $0 == "/" }) }
            .sorted()
    }
}
