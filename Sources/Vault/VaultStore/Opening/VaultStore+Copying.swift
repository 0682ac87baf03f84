internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

// Copies of the file.
extension VaultStore {
    private static let chunkByteCount = 1 << 20

    /// Copies the vault as it is now to a new file, which is durable when this returns.
    package func copy(to path: String) throws {
        try serve {
            let (file, byteCount) = try read { ($0.file, $0.position.offset) }
            try DurableFile.create(
                at: path,
                in: environment.files,
                random: environment.random.number(),
                byteCount: byteCount,
                failure: { $0 }
            ) { copy in
                for start in stride(from: 0, to: byteCount, by: Self.chunkByteCount) {
                    let bytes = try file.bytes(in: start..<min(start + Self.chunkByteCount, byteCount))
                    try copy.writeAll(bytes.span, at: start)
                }
            }
        }
    }

    /// Remembers in another directory how far the vault has come, so that an older copy is noticed there.
    package func remember(in directory: String) throws {
        try serve {
            let anchor = try read { $0.anchor(at: $0.position, lastWriter: nil) }
            var keeper = try AnchorKeeper("\(anchor.vault)", of: anchor.vault, in: directory, environment: environment)
            try keeper.accept(anchor)
        }
    }

    /// Remembers in a directory how far a file of the vault at `path` has come, which is as far as this one.
    package func remember(placeOfCopyAt path: String, in directory: String) throws {
        try serve {
            let anchor = try read { $0.anchor(at: $0.position, lastWriter: nil) }
            let place = try environment.files.locate(path)
            var anchors = try Anchors(
                of: anchor.vault,
                isShared: false,
                at: VaultLocation(path: path, place: place),
                in: directory,
                environment: environment
            )
            try anchors.acceptPlace(anchor)
        }
    }
}
