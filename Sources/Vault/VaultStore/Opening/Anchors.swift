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
    private let places: AnchoredPlaces

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
        places = AnchoredPlaces(vault: vault, directoryPath: directoryPath, environment: environment)
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
    func otherPlaces() -> [AnchoredPlaces.Place] { places.all().filter { $0.name != place?.name }.reversed() }
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
