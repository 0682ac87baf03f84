public import Coffer
internal import CofferBasics
internal import VaultFiles

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

    private let keychain: DefaultKeychain?
    private let surroundings: PersistenceSurroundings
    /// By the bytes of their names, as files are.
    private let suites = Guarded<[[UInt8]: Defaults]>([:])

    /// The container of the app with this name.
    ///
    /// - Parameters:
    ///   - identifier: The name of the app, such as `com.example.notes`: it has a dot, so that it is not that of a directory of
    ///     the desktop's.
    ///   - directory: Where the container lies, such as a directory of a test; nil for the place of the user.
    ///   - cache: What keeps values in memory, such as a cache with a limit.
    ///   - keychain: Where secrets are kept; nil for the default keychain of the moment.
    /// - Throws: ``PersistenceError/invalidIdentifier(_:)``, or ``PersistenceError/noPlace``.
    public convenience init(
        _ identifier: String,
        in directory: String? = nil,
        cache: MemoryCache = MemoryCache(),
        keychain: DefaultKeychain? = nil
    ) throws(PersistenceError) {
        guard let directory = directory ?? VaultPlaces.dataDirectory(ProgramEnvironment()) else { throw .noPlace }
        try self.init(
            identifier,
            in: directory,
            cache: cache,
            keychain: keychain,
            surroundings: PersistenceSurroundings()
        )
    }

    /// The container of an app on a machine.
    package init(
        _ identifier: String,
        in directory: String,
        cache: MemoryCache = MemoryCache(),
        keychain: DefaultKeychain?,
        surroundings: PersistenceSurroundings
    ) throws(PersistenceError) {
        guard Self.isName(identifier), identifier.utf8.contains(UInt8(ascii: ".")) else {
            throw .invalidIdentifier(identifier)
        }
        self.identifier = identifier
        self.cache = cache
        self.keychain = keychain
        self.surroundings = surroundings
        path = directory + "/" + identifier
        defaults = Defaults(KeptFiles(path: path + "/Preferences", surroundings: surroundings), name: identifier)
        let key = SecretPlace(service: identifier + ".documents", group: nil, keychain: keychain)
        archive = ObjectArchive(KeptFiles(path: path + "/Archive", surroundings: surroundings), keyPlace: key)
        secrets = Secrets(service: identifier, keychain: keychain)
    }

    /// The identifier of this machine for the app, which stays when the container is removed.
    ///
    /// ```swift
    /// let id = try app.deviceIdentifier.value()
    /// ```
    public var deviceIdentifier: DeviceIdentifier { DeviceIdentifier(service: identifier, keychain: keychain) }

    /// A password for a service, such as a server, which stays when the container is removed.
    ///
    /// ```swift
    /// try app.password(service: "mail.example.com", account: "kim").setPassword("hunter2")
    /// ```
    ///
    /// - Parameters:
    ///   - service: What it is for.
    ///   - account: Whose it is.
    /// - Returns: What keeps the password.
    public func password(service: String, account: String) -> PasswordWrapper {
        PasswordWrapper(service: service, account: account, keychain: keychain)
    }

    /// Whether a file or directory can be called so.
    private static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return (1...128).contains(bytes.count) && bytes[0] != UInt8(ascii: ".")
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    }

    /// Settings beside those of the app, such as those of one of its users; they go with the container too.
    ///
    /// ```swift
    /// try app.defaults(suite: "kim").set(16, for: .fontSize)
    /// ```
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
    /// Secrets stay, as they do on iOS when an app is removed, and so does what they are in, also if it lies in the container:
    /// any file whose name ends in `.coffer`, the default vault and that of the app, and what opens these.
    ///
    /// ```swift
    /// try app.remove()
    /// ```
    ///
    /// - Throws: What could not be removed; what comes before it is gone then.
    public func remove() throws(PersistenceError) {
        cache.removeAll()
        let isKept = try isKept()
        let own = ["Preferences", "Archive"].map { KeptFiles(path: path + "/" + $0, surroundings: surroundings) }
        for files in own {
            try files.empty { () throws(PersistenceError) in
                try removeTree { entry in !files.holds(entry) || files.isLock(entry) || isKept(entry) }
            }
        }
        // What lies in these now was kept since, or is just being written.
        try removeTree { entry in own.contains { $0.isOf(entry) } || isKept(entry) }
    }

    private func removeTree(keeping isKept: (DirectoryTree.Entry) -> Bool) throws(PersistenceError) {
        do throws(FileError) {
            try DirectoryTree.remove(at: path, keeping: isKept)
        } catch {
            throw PersistenceError(error)
        }
    }

    /// What tells of a file whether it stays.
    private func isKept() throws(PersistenceError) -> (DirectoryTree.Entry) -> Bool {
        let places = [VaultPlaces.standard, (keychain ?? Keychain.default).places].compactMap(\.self)
        let paths = places.flatMap { [$0.vault, $0.deviceKey, $0.deviceCredential] }.compactMap(\.self)
        let anchors = places.compactMap(\.anchors)
        var identities: [FileStatus.Identity] = []
        do throws(FileError) {
            for path in paths {
                if let identity = try Self.identity(of: path) { identities.append(identity) }
            }
        } catch {
            throw PersistenceError(error)
        }
        let (pathBytes, anchorBytes) = (paths.map { Array($0.utf8) }, anchors.map { Array($0.utf8) })
        return { entry in
            entry.name.suffix(Self.vaultSuffix.count).elementsEqual(Self.vaultSuffix)
                || identities.contains(entry.identity) || anchorBytes.contains(entry.directory)
                || pathBytes.contains(entry.directory + [UInt8(ascii: "/")] + entry.name)
        }
    }

    private static let vaultSuffix = Array(".coffer".utf8)

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
