public import Coffer
internal import VaultFiles
internal import VaultFormat
internal import VaultThreads

/// What an app keeps on a machine, and the ladder of places to keep it in.
///
/// ```swift
/// let app = try AppContainer("com.example.notes")
/// app.cache.set(thumbnail, for: .thumbnail)   // gone when the program ends
/// try app.defaults.set(true, for: .isSorted)  // a setting
/// try app.archive.set(notes, for: .notes)     // a document
/// try app.secrets.set(token, for: .token)     // stays when the app is removed
/// ```
///
/// The container is the directory `$XDG_DATA_HOME/<identifier>`, which is made when something is first kept in it, or
/// observed. The vault, in which secrets are, lies elsewhere.
public final class AppContainer: Sendable {
    /// The name of the app, such as `com.example.notes`.
    public let identifier: String
    /// The path of the directory.
    public let path: String
    /// Values that live as long as the program.
    public let cache: MemoryCache
    /// The settings of the app.
    public let defaults: Defaults
    /// The documents of the app.
    public let archive: ObjectArchive
    /// The secrets of the app, under its name as the service.
    public let secrets: Secrets

    private let surroundings: PersistenceSurroundings
    /// By the bytes of their names, as files are.
    private let suites = Guarded<[[UInt8]: Defaults]>([:])

    /// The container of the app with this name.
    ///
    /// - Parameters:
    ///   - identifier: The name of the app, such as `com.example.notes`.
    ///   - cacheCostLimit: What all that the cache holds may cost together.
    ///   - keychain: Where secrets are kept; nil for the default keychain of the moment.
    /// - Throws: ``PersistenceError/invalidIdentifier(_:)``, or ``PersistenceError/noPlace``.
    public convenience init(
        _ identifier: String,
        cacheCostLimit: Int = .max,
        keychain: DefaultKeychain? = nil
    ) throws(PersistenceError) {
        guard let home = VaultPlaces.dataDirectory(ProgramEnvironment()) else { throw .noPlace }
        try self.init(
            identifier,
            in: home,
            cacheCostLimit: cacheCostLimit,
            keychain: keychain,
            surroundings: PersistenceSurroundings()
        )
    }

    /// The container of an app in a directory of a machine.
    package init(
        _ identifier: String,
        in directory: String,
        cacheCostLimit: Int = .max,
        keychain: DefaultKeychain?,
        surroundings: PersistenceSurroundings
    ) throws(PersistenceError) {
        guard Self.isName(identifier) else { throw .invalidIdentifier(identifier) }
        self.identifier = identifier
        self.surroundings = surroundings
        path = directory + "/" + identifier
        cache = MemoryCache(costLimit: cacheCostLimit)
        defaults = Defaults(KeptFiles(path: path + "/Preferences", surroundings: surroundings), name: identifier)
        archive = ObjectArchive(KeptFiles(path: path + "/Archive", surroundings: surroundings))
        secrets = Secrets(service: identifier, keychain: keychain)
    }

    /// Whether a directory beside those of other apps can be called so, and is not that of the vault.
    private static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return (1...128).contains(bytes.count) && bytes[0] != UInt8(ascii: ".") && name.lowercased() != "coffer"
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    }

    /// Settings beside those of the app, such as those that it shares with another.
    ///
    /// - Parameter name: The name of the suite.
    /// - Returns: The settings; the same object for the same name.
    /// - Throws: ``PersistenceError/invalidIdentifier(_:)``.
    public func defaults(suite name: String) throws(PersistenceError) -> Defaults {
        guard Self.isName(name) else { throw .invalidIdentifier(name) }
        let bytes = Array(name.utf8)
        guard !bytes.elementsEqual(identifier.utf8) else { return defaults }
        return suites.withLock { suites in
            if let suite = suites[bytes] { return suite }
            let suite = Defaults(KeptFiles(path: path + "/Preferences", surroundings: surroundings), name: name)
            suites[bytes] = suite
            return suite
        }
    }

    /// Removes what the app keeps: the cache, the settings, the documents, and whatever else is in the container.
    ///
    /// Secrets stay, as they do on iOS when an app is removed, and so do the default vault and its device key, wherever they
    /// lie, and any file whose name ends in `.coffer`: a vault that an app keeps in its container must not be lost with it.
    ///
    /// - Throws: What could not be removed; what comes before it is gone then.
    public func remove() throws(PersistenceError) {
        cache.removeAll()
        let own = ["Preferences", "Archive"].map { path + "/" + $0 }
        for path in own {
            try KeptFiles(path: path, surroundings: surroundings).removeAll(butWithSuffix: Self.vaultSuffix)
        }
        try removeRest(butFilesIn: own)
    }

    private static let vaultSuffix = ".coffer"

    /// Removes what else is in the directory, and the directory.
    ///
    /// What lies in `own` now was kept since, or is just being written.
    private func removeRest(butFilesIn own: [String]) throws(PersistenceError) {
        let paths = [surroundings.places.vault, surroundings.places.deviceKey].compactMap(\.self)
        do throws(FileError) {
            var kept: [FileStatus.Identity] = []
            for path in paths {
                if let identity = try Self.identity(of: path) { kept.append(identity) }
            }
            try DirectoryTree.remove(at: path) { entry in
                own.contains(entry.directory)
                    || entry.name.suffix(Self.vaultSuffix.utf8.count).elementsEqual(Self.vaultSuffix.utf8)
                    || kept.contains(entry.identity) || paths.contains(entry.path)
            }
        } catch {
            throw PersistenceError(error)
        }
    }

    /// Which file a path leads to; nil if it leads to none that could be removed here.
    private static func identity(of path: String) throws(FileError) -> FileStatus.Identity? {
        do throws(FileError) {
            let (directory, name) = try LinuxFileSystem().locate(path)
            return try directory.status(of: name).identity
        } catch {
            guard [.notFound, .notADirectory, .permissionDenied].contains(error.reason) else { throw error }
            return nil
        }
    }
}
