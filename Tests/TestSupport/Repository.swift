package import Foundation

/// The checkout that the tests were built from.
package enum Repository {
    /// Its top directory.
    package static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The Swift files below `directory`, by path from the top directory, in order.
    package static func swiftFiles(in directory: String) throws -> [String] {
        let base = root.appending(path: directory)
        guard let files = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil) else { return [] }
        return files.compactMap { ($0 as? URL)?.path }
            .filter { $0.hasSuffix(".swift") }
            .map { String($0.dropFirst(root.path.count).drop { $0 == "/" }) }
            .sorted()
    }
}
