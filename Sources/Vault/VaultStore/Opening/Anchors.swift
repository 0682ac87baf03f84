internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// What this machine remembers of a vault: how far it had come at any location, and how far at that of its file;
/// `Spec/store.md`, section 5.
struct Anchors: Sendable {
    private var vault: AnchorKeeper
    /// Nil if locations have no anchors of their own.
    private var here: AnchorKeeper?
    /// What is remembered of the location that the given path names, if links lead from it to another one.
    private var named: Anchor?
    private let locations: AnchoredLocations

    /// Reads the anchors of a vault, as far as there are any; creates nothing.
    ///
    /// - Parameters:
    ///   - vault: The vault.
    ///   - isShared: Whether it is a replica, which has an anchor of its own: a machine may have another copy of the
    ///     same vault beside it.
    ///   - location: Where the file is; nil if its location has no anchor of its own.
    ///   - directoryPath: The directory of anchors.
    ///   - environment: The files to use.
    /// - Throws: `file` if one of the anchors cannot be read.
    init(
        of vault: VaultID,
        isShared: Bool,
        at location: VaultLocation?,
        in directoryPath: String,
        environment: StoreEnvironment
    ) throws {
        locations = AnchoredLocations(vault: vault, directoryPath: directoryPath, environment: environment)
        let name = isShared ? "\(vault).shared" : "\(vault)"
        self.vault = try AnchorKeeper(name, of: vault, in: directoryPath, environment: environment)
        guard !isShared, let location, let path = location.resolvedPath else { return }
        here = try locations.keeper(of: path)
        if location.path != path, location.path.hasPrefix("/") {
            named = try locations.keeper(of: location.path)?.anchor
        }
    }

    /// Whether the location, or the one that the given path names, has an anchor of its own.
    var knowsLocation: Bool { here?.anchor != nil || named != nil }

    /// The anchor that counts: that of the location, or of the vault if the location has none.
    var anchor: Anchor? {
        let own = here?.anchor ?? vault.anchor
        // A link to an older file must not stand in for the location where the link is.
        return named.map { named in own.map { named.precedes($0) ? $0 : named } ?? named } ?? own
    }

    /// Reads again who wrote the file last, since other processes update the anchors too.
    mutating func lastWriter() -> Anchor.LastWriter? {
        // Not from the anchor of the vault: of two locations, each has its own writers.
        here == nil ? vault.lastWriter() : here?.lastWriter()
    }

    /// Updates the anchors to how far the vault has come here.
    mutating func update(to anchor: Anchor) {
        makeRoom()
        here?.update(to: anchor)
        vault.update(to: anchor, staysLatest: here != nil)
    }

    /// Durably remembers what the owner has accepted.
    mutating func accept(_ anchor: Anchor) throws(FileError) {
        try acceptPlace(anchor)
        try vault.accept(anchor, staysLatest: here != nil)
    }

    /// Durably remembers how far the vault has come at this location alone.
    mutating func acceptPlace(_ anchor: Anchor) throws(FileError) {
        makeRoom()
        try here?.accept(anchor)
    }

    /// Forgets other locations before this one gets its anchor.
    private func makeRoom() {
        guard let here, here.isMissing else { return }
        locations.makeRoom(for: here.name, latest: vault.anchor)
    }

    /// Returns the other locations of the vault that have anchors, the latest first.
    func otherLocations() -> [AnchoredLocations.Location] {
        locations.all().filter { $0.name != here?.name }.reversed()
    }
}

extension VaultLocation {
    /// The path of the file, without symbolic links; nil if the caller opened the file.
    var resolvedPath: String? {
        place.map { place in
            let path = place.directory.path
            return path == "/" ? "/\(place.name)" : "\(path)/\(place.name)"
        }
    }
}

/// The locations at which this machine has written a vault: for each, an anchor followed by the path.
struct AnchoredLocations: Sendable {
    /// How many locations are remembered.
    static let limit = 16
    private static let pathByteCountLimit = 4096

    let vault: VaultID
    let directoryPath: String
    let environment: StoreEnvironment

    /// A location, and how far the vault had come there.
    struct Location: Sendable {
        let name: String
        let path: String
        let anchor: Anchor
    }

    /// Reads the anchor of a location, if there is one; nil if the path is too long for one.
    func keeper(of path: String) throws -> AnchorKeeper? {
        let bytes = Array(path.utf8)
        guard bytes.count <= Self.pathByteCountLimit else { return nil }
        return try AnchorKeeper(
            name(of: path),
            of: vault,
            trailer: bytes,
            in: directoryPath,
            environment: environment
        )
    }

    private var namePrefix: String { "\(vault).at-" }

    private func name(of path: String) -> String {
        namePrefix + Label.place.hash(16, vault.bytes + Array(path.utf8)).hexDigits
    }

    /// Returns the locations whose anchors can be read, the oldest state first.
    func all() -> [Location] {
        guard let directory = try? environment.files.trustedDirectory(directoryPath),
            let names = try? directory.names()
        else { return [] }
        return names.filter { $0.hasPrefix(namePrefix) }.compactMap { location($0, in: directory) }.sorted {
            one,
            other in
            (one.anchor.generation, one.anchor.sequence) < (other.anchor.generation, other.anchor.sequence)
        }
    }

    private func location(_ name: String, in directory: any OpenDirectory) -> Location? {
        let byteCount = AnchorFile.byteCount
        guard let file = try? directory.openTrusted(name, for: .reading, user: environment.user),
            let bytes = try? file.bytes(in: 0..<byteCount + Self.pathByteCountLimit),
            let path = String(validating: bytes.dropFirst(byteCount), as: UTF8.self),
            let anchor = AnchorFile(parsing: Array(bytes.prefix(byteCount)).span, vault: vault).anchor
        else { return nil }
        return Location(name: name, path: path, anchor: anchor)
    }

    /// Forgets locations so that there is room for another one, which gets its first anchor.
    ///
    /// If a location has no file of the vault and was left as `latest`, which the new one is not older than, the file was
    /// moved from there; its former states must not be accepted again.
    func makeRoom(for name: String, latest: Anchor?) {
        var others = all().filter { $0.name != name }
        guard !others.isEmpty, let directory = try? environment.files.trustedDirectory(directoryPath) else { return }
        let gone = others.filter { location in
            (try? VaultStore.id(ofVaultAt: location.path, environment: environment)) != vault
        }
        let moved = gone.filter { location in latest.map(location.anchor.hasPosition) == true }
        others.removeAll { other in moved.contains { $0.name == other.name } }
        let excess = max(0, others.count - Self.limit + 1)
        let candidates = others.filter { other in gone.contains { $0.name == other.name } } + others
        var forgotten = Set(moved.map(\.name))
        for location in candidates where forgotten.count < moved.count + excess { forgotten.insert(location.name) }
        for name in forgotten { try? directory.remove(name) }
    }
}
