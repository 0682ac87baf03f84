internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

/// Where a vault is: a name in a directory, or a file that somebody has opened.
struct VaultLocation: Sendable {
    let path: String
    /// Nil for a file that was given open.
    let place: (directory: any OpenDirectory, name: String)?

    /// What lies there now: `current`, if it is a file that was given open.
    func status(of current: any OpenFile) throws(StoreError) -> FileStatus {
        try translating(StoreError.file) { () throws(FileError) in
            if let place { return try place.directory.status(of: place.name) }
            return try current.status()
        }
    }

    /// Opens what lies there now: `current`, if it is a file that was given open.
    func open(_ current: any OpenFile, mayWrite: Bool) throws(StoreError) -> (any OpenFile, FileStatus) {
        try translating(StoreError.file) { () throws(FileError) in
            let file = try place.map { place throws(FileError) in
                try place.directory.open(place.name, for: mayWrite ? .writing : .reading)
            }
            let open = file ?? current
            return (open, try open.status())
        }
    }
}
