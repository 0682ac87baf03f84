internal import Foundation

/// The copies that programs which synchronise folders leave beside a vault that was changed in two places.
enum FoundCopies {
    /// What they put into the name of a copy.
    private static let marks = [
        // Syncthing
        ".sync-conflict-",
        // Dropbox, Nextcloud
        "conflicted copy",
        // ownCloud, and Nextcloud before version 12
        "_conflict-",
    ]

    /// The copies beside a vault, by name.
    static func beside(_ path: String) throws -> [String] {
        let vault = URL(filePath: path)
        let directory = vault.deletingLastPathComponent()
        let stem = vault.deletingPathExtension().lastPathComponent
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let copies = names.filter { isCopy($0, ofStem: stem, extension: vault.pathExtension) }
        return copies.sorted().map { directory.appending(path: $0).path }
    }

    static func isCopy(_ name: String, ofStem stem: String, extension ending: String) -> Bool {
        guard name.hasPrefix(stem), ending.isEmpty || name.hasSuffix("." + ending) else { return false }
        let rest = name.dropFirst(stem.count)
        return marks.contains { rest.contains($0) }
    }

    static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }
}
