internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// The places at which this machine has written a vault: for each, an anchor followed by the path.
struct AnchoredPlaces: Sendable {
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
