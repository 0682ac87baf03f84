public import Coffer
internal import CofferBasics
internal import VaultFiles

/// The data that an app stores on a machine, and the ladder of places to store it in.
///
/// ```swift
/// let app = try AppContainer("com.example.notes")
/// app.cache.set(thumbnail, for: .thumbnail)   // gone when the program ends
/// try app.defaults.set(true, for: .isSorted)  // a setting
/// try app.archive.set(notes, for: .notes)     // a document
/// try app.secrets.set(token, for: .token)     // stays when the app is removed
/// ```
///
/// The container is the directory `$XDG_DATA_HOME/<identifier>`. It is created when something is first stored in it or
/// observed. Secrets are in the vault, which is elsewhere.
public final class AppContainer: Sendable {
    /// The name of the app, such as `com.example.notes`.
    public let identifier: String
    /// The path of the container's directory.
    public let path: String
    /// Values that are kept until the program ends.
    public let cache: MemoryCache
    /// The settings of the app.
    public let defaults: Defaults
    /// The documents of the app.
    public let archive: ObjectArchive
    /// The secrets of the app; their service is its identifier.
    public let secrets: Secrets

    private let keychain: Keychain?
    private let environment: PersistenceEnvironment
    /// Keyed by the bytes of their names, as file names are compared.
    private let suites = Guarded<[[UInt8]: Defaults]>([:])

    /// Creates the container of the app with this identifier.
    ///
    /// - Parameters:
    ///   - identifier: The name of the app, such as `com.example.notes`. It must contain a dot, so that it cannot be
    ///     the name of one of the desktop's directories.
    ///   - directory: The parent directory, such as a test's directory; nil for the user's data directory.
    ///   - cache: The memory cache, such as one with a limit.
    ///   - keychain: The keychain for secrets; nil for the default keychain at the time of each call.
    /// - Throws: ``PersistenceError/invalidIdentifier(_:)`` or ``PersistenceError/noDataDirectory``.
    public convenience init(
        _ identifier: String,
        in directory: String? = nil,
        cache: MemoryCache = MemoryCache(),
        keychain: Keychain? = nil
    ) throws(PersistenceError) {
        guard let directory = directory ?? VaultLocations.dataDirectory(ProgramEnvironment()) else {
            throw .noDataDirectory
        }
        try self.init(
            identifier,
            in: directory,
            cache: cache,
            keychain: keychain,
            environment: PersistenceEnvironment()
        )
    }

    /// Creates the container of an app in the given environment.
    package init(
        _ identifier: String,
        in directory: String,
        cache: MemoryCache = MemoryCache(),
        keychain: Keychain?,
        environment: PersistenceEnvironment
    ) throws(PersistenceError) {
        guard Self.isName(identifier), identifier.utf8.contains(UInt8(ascii: ".")) else {
            throw .invalidIdentifier(identifier)
        }
        self.identifier = identifier
        self.cache = cache
        self.keychain = keychain
        self.environment = environment
        path = directory + "/" + identifier
        defaults = Defaults(AtomicFiles(path: path + "/Preferences", environment: environment), name: identifier)
        let key = KeychainService(service: identifier + ".documents", group: nil, keychain: keychain)
        archive = ObjectArchive(AtomicFiles(path: path + "/Archive", environment: environment), keyPlace: key)
        secrets = Secrets(service: identifier, keychain: keychain)
    }

    /// The identifier of this machine for the app; it remains when the container is removed.
    ///
    /// ```swift
    /// let id = try app.deviceIdentifier.value()
    /// ```
    public var deviceIdentifier: DeviceIdentifier { DeviceIdentifier(service: identifier, keychain: keychain) }

    /// Returns access to a password for a service, such as a server.
    ///
    /// The password remains when the container is removed.
    ///
    /// ```swift
    /// try app.password(service: "mail.example.com", account: "kim").setPassword("hunter2")
    /// ```
    ///
    /// - Parameters:
    ///   - service: The service that the password is for.
    ///   - account: The account that the password belongs to.
    /// - Returns: A wrapper that reads and stores the password.
    public func password(service: String, account: String) -> PasswordWrapper {
        PasswordWrapper(service: service, account: account, keychain: keychain)
    }

    /// Whether `name` is valid for a file or directory.
    private static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return (1...128).contains(bytes.count) && bytes[0] != UInt8(ascii: ".")
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    }

    /// Returns a separate set of settings, such as those of one user.
    ///
    /// They are removed with the container.
    ///
    /// ```swift
    /// try app.defaults(suite: "kim").set(16, for: .fontSize)
    /// ```
    ///
    /// - Parameter name: The name of the suite.
    /// - Returns: The settings of the suite; the same object for the same name.
    /// - Throws: ``PersistenceError/invalidIdentifier(_:)`` if the name is invalid.
    public func defaults(suite name: String) throws(PersistenceError) -> Defaults {
        guard Self.isName(name) else { throw .invalidIdentifier(name) }
        let bytes = Array(name.utf8)
        guard !bytes.elementsEqual(identifier.utf8) else { return defaults }
        return suites.withLock { suites in
            if let suite = suites[bytes] { return suite }
            let suite = Defaults(AtomicFiles(path: path + "/Preferences", environment: environment), name: name)
            suites[bytes] = suite
            return suite
        }
    }

    /// Removes the app's data: the cache, the settings, the documents, and everything else in the container.
    ///
    /// Secrets remain, as they do on iOS when an app is removed. So do the files that hold or open them, even inside
    /// the container: every file whose name ends in `.coffer`, the default vault, the vault of the app's keychain, and
    /// the files that open these.
    ///
    /// ```swift
    /// try app.remove()
    /// ```
    ///
    /// - Throws: ``PersistenceError`` if something cannot be removed; everything before it has been removed.
    public func remove() throws(PersistenceError) {
        cache.removeAll()
        try PersistenceError.converting {
            let isKept = try isKept()
            let own = ["Preferences", "Archive"].map { AtomicFiles(path: path + "/" + $0, environment: environment) }
            for files in own {
                try files.empty {
                    try DirectoryTree.remove(at: path) { entry in
                        !files.holds(entry) || files.isLock(entry) || isKept(entry)
                    }
                }
            }
            // Files that are in these directories now were stored since, or are just being written.
            try DirectoryTree.remove(at: path) { entry in
                own.contains { $0.isDirectlyInside(entry) } || isKept(entry)
            }
        }
    }

    /// Returns a function that says whether a file must be kept.
    private func isKept() throws -> (DirectoryTree.Entry) -> Bool {
        let locations = [VaultLocations.standard, (keychain ?? Keychain.default).locations].compactMap(\.self)
        let paths = locations.flatMap { [$0.vault, $0.deviceKey, $0.deviceCredential] }.compactMap(\.self)
        let anchors = locations.compactMap(\.anchors)
        let identities = try paths.compactMap { try Self.identity(of: $0) }
        let (pathBytes, anchorBytes) = (paths.map { Array($0.utf8) }, anchors.map { Array($0.utf8) })
        return { entry in
            entry.name.suffix(Self.vaultSuffix.count).elementsEqual(Self.vaultSuffix)
                || identities.contains(entry.identity) || anchorBytes.contains(entry.directory)
                || pathBytes.contains(entry.directory + [UInt8(ascii: "/")] + entry.name)
        }
    }

    private static let vaultSuffix = Array(".coffer".utf8)

    /// The file that `path` leads to; nil if it leads to no file that could be removed here.
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
