internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// What this machine remembers of a vault: how far it had come at any place, and how far at the place of its file;
/// `Spec/store.md`, section 5.
struct Anchors: Sendable {
    private var vault: AnchorKeeper
    /// Nil if places have no anchors of their own.
    private var place: AnchorKeeper?
    /// What is remembered of the place that the given path names, if links lead from it to another one.
    private var named: Anchor?
    private let places: AnchoredLocations

    /// Reads the anchors of a vault, as far as there are any; creates nothing.
    ///
    /// - Parameters:
    ///   - vault: The vault.
    ///   - isShared: Whether it is a replica, which has an anchor of its own: a machine may have another copy of the
    ///     same vault beside it.
    ///   - location: Where the file is; nil if its place has no anchor of its own.
    ///   - directoryPath: The directory of anchors.
    ///   - environment: The files to use.
    /// - Throws: `file` if one of the anchors cannot be read.
    init(
        of vault: VaultID,
        isShared: Bool,
        at location: VaultLocation?,
        in directoryPath: String,
        environment: StoreEnvironment
    ) throws(StoreError) {
        places = AnchoredLocations(vault: vault, directoryPath: directoryPath, environment: environment)
        let name = isShared ? "\(vault).shared" : "\(vault)"
        self.vault = try AnchorKeeper(name, of: vault, in: directoryPath, environment: environment)
        guard !isShared, let location, let path = location.placePath else { return }
        place = try places.keeper(of: path)
        if location.path != path, location.path.hasPrefix("/") {
            named = try places.keeper(of: location.path)?.anchor
        }
    }

    /// Whether the place, or the one that the given path names, has an anchor of its own.
    var knowsPlace: Bool { place?.anchor != nil || named != nil }

    /// The anchor that counts: that of the place, or of the vault if the place has none.
    var anchor: Anchor? {
        let own = place?.anchor ?? vault.anchor
        // A link to an older file must not stand in for the place where the link is.
        return named.map { named in own.map { named.precedes($0) ? $0 : named } ?? named } ?? own
    }

    /// Reads again who wrote the file last, since other processes update the anchors too.
    mutating func lastWriter() -> Anchor.LastWriter? {
        // Not from the anchor of the vault: of two places, each has its own writers.
        place == nil ? vault.lastWriter() : place?.lastWriter()
    }

    /// Updates the anchors to how far the vault has come here.
    mutating func update(to anchor: Anchor) {
        makeRoom()
        place?.update(to: anchor)
        vault.update(to: anchor, staysLatest: place != nil)
    }

    /// Durably remembers what the owner has accepted.
    mutating func accept(_ anchor: Anchor) throws(FileError) {
        try acceptPlace(anchor)
        try vault.accept(anchor, staysLatest: place != nil)
    }

    /// Durably remembers how far the vault has come at this place alone.
    mutating func acceptPlace(_ anchor: Anchor) throws(FileError) {
        makeRoom()
        try place?.accept(anchor)
    }

    /// Forgets other places before this one gets its anchor.
    private func makeRoom() {
        guard let place, place.isMissing else { return }
        places.makeRoom(for: place.name, latest: vault.anchor)
    }

    /// Returns the other places of the vault that have anchors, the latest first.
    func otherPlaces() -> [AnchoredLocations.Place] { places.all().filter { $0.name != place?.name }.reversed() }
}

extension VaultLocation {
    /// The path of the file, without symbolic links; nil if the caller opened the file.
    var placePath: String? {
        place.map { place in
            let path = place.directory.path
            return path == "/" ? "/\(place.name)" : "\(path)/\(place.name)"
        }
    }
}

/// The places at which this machine has written a vault: for each, an anchor followed by the path.
struct AnchoredLocations: Sendable {
    /// How many places are remembered.
    static let limit = 16
    private static let pathByteCountLimit = 4096

    let vault: VaultID
    let directoryPath: String
    let environment: StoreEnvironment

    /// A place, and how far the vault had come there.
    struct Place: Sendable {
        let name: String
        let path: String
        let anchor: Anchor
    }

    /// Reads the anchor of a place, if there is one; nil if the path is too long for one.
    func keeper(of path: String) throws(StoreError) -> AnchorKeeper? {
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

    /// Returns the places whose anchors can be read, the oldest state first.
    func all() -> [Place] {
        guard let directory = try? environment.files.trustedDirectory(directoryPath),
            let names = try? directory.names()
        else { return [] }
        return names.filter { $0.hasPrefix(namePrefix) }.compactMap { place($0, in: directory) }.sorted { one, other in
            (one.anchor.generation, one.anchor.sequence) < (other.anchor.generation, other.anchor.sequence)
        }
    }

    private func place(_ name: String, in directory: any OpenDirectory) -> Place? {
        let byteCount = AnchorFile.byteCount
        guard let file = try? directory.openTrusted(name, for: .reading, user: environment.user),
            let bytes = try? file.bytes(in: 0..<byteCount + Self.pathByteCountLimit),
            let path = String(validating: bytes.dropFirst(byteCount), as: UTF8.self),
            let anchor = AnchorFile(parsing: Array(bytes.prefix(byteCount)).span, vault: vault).anchor
        else { return nil }
        return Place(name: name, path: path, anchor: anchor)
    }

    /// Forgets places so that there is room for another one, which gets its first anchor.
    ///
    /// A place without a file of the vault that was left as `latest`, which the new place is not older than, is where
    /// the file was before: it was moved, and what was there must not be accepted again.
    func makeRoom(for name: String, latest: Anchor?) {
        var others = all().filter { $0.name != name }
        guard !others.isEmpty, let directory = try? environment.files.trustedDirectory(directoryPath) else { return }
        let gone = others.filter { place in
            (try? VaultStore.id(ofVaultAt: place.path, environment: environment)) != vault
        }
        let moved = gone.filter { place in latest.map(place.anchor.hasPosition) == true }
        others.removeAll { other in moved.contains { $0.name == other.name } }
        let excess = max(0, others.count - Self.limit + 1)
        let candidates = others.filter { other in gone.contains { $0.name == other.name } } + others
        var forgotten = Set(moved.map(\.name))
        for place in candidates where forgotten.count < moved.count + excess { forgotten.insert(place.name) }
        for name in forgotten { try? directory.remove(name) }
    }
}
