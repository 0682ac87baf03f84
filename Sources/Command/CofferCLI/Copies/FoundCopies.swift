internal import Coffer
internal import CofferBasics
internal import VaultFiles

/// The copies that programs which synchronise folders leave beside a vault that was changed in two places.
struct FoundCopies {
    /// What they put into the name of a copy.
    private static let marks = [
        // Syncthing
        ".sync-conflict-",
        // Dropbox, Nextcloud
        "conflicted copy",
        // ownCloud, and Nextcloud before version 12
        "_conflict-",
    ]

    private let place: (directory: any OpenDirectory, name: String)
    private let prefix: String

    /// Looks beside the vault at `path`.
    init(beside path: String, options: VaultOptions) throws {
        place = try options.machine().files.locateForCreating(path, makesDirectories: false)
        prefix = String(path.dropLast(place.name.count))
    }

    /// The paths of the copies, by name.
    var paths: [String] {
        get throws {
            let (stem, ending) = place.name.stemAndEnding
            return try place.directory.names().filter { Self.isCopy($0, ofStem: stem, ending) }.sorted().map {
                prefix + $0
            }
        }
    }

    private static func isCopy(_ name: String, ofStem stem: Substring, _ ending: Substring) -> Bool {
        guard name.hasPrefix(stem), name.hasSuffix(ending) else { return false }
        let rest = name.dropFirst(stem.count)
        return marks.contains { rest.contains(text: $0) }
    }

    /// Removes a copy.
    func remove(_ path: String) throws { try place.directory.remove(String(path.dropFirst(prefix.count))) }
}
