internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

/// Where a vault is: a name in a directory, or a file that the caller opened.
struct VaultLocation: Sendable {
    let path: String
    /// Nil for a file that the caller opened.
    let place: (directory: any OpenDirectory, name: String)?

    /// Returns the status of the file that is there now; that is `current` if the caller opened the file.
    func status(of current: any OpenFile) throws(StoreError) -> FileStatus {
        try translating(StoreError.file) { () throws(FileError) in
            if let place { return try place.directory.status(of: place.name) }
            return try current.status()
        }
    }

    /// Opens the file that is there now; that is `current` if the caller opened the file.
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
