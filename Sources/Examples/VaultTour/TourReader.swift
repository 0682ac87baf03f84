import KeyedArchive
import VaultCompression
import VaultCrypto
import VaultFormat

/// Opens vaults, and says in words what came of it.
struct TourReader {
    typealias Roots = Keyring<SodiumSuite>.Roots

    private let suite: SodiumSuite

    init(suite: SodiumSuite) {
        self.suite = suite
    }

    func roots(of vault: [UInt8], passphrase: [UInt8]) throws -> Roots {
        let prelude = try VaultPrelude(of: MemorySource(vault), suite: suite)
        return try prelude.roots(passphrase: passphrase.span, availableByteCount: nil, suite: suite)
    }

    func roots(of vault: [UInt8], recoveryCode: [UInt8]) throws -> Roots {
        let prelude = try VaultPrelude(of: MemorySource(vault), suite: suite)
        let seed = try RecoveryCode(parsing: recoveryCode.span, suite: suite).seed()
        return try prelude.roots(recovery: seed, availableByteCount: nil, suite: suite)
    }

    /// A line for each item.
    func items(of vault: [UInt8], _ roots: Roots) throws -> [String] {
        let (opening, contents) = try contents(of: vault, roots)
        return try contents.readableItems.sorted { $0.match.order < $1.match.order }.map { item in
            let account = item.attributes?["acct"]?.string ?? "?"
            let service = item.attributes?["svce"]?.string ?? "?"
            return "\(account) at \(service): \(try secret(of: item, opening))"
        }
    }

    /// How many items can be read, and what is wrong with the end of the file.
    func summary(of vault: [UInt8], _ roots: Roots) throws -> String {
        let (_, contents) = try contents(of: vault, roots)
        return "\(contents.readableItems.count) of \(DemoVault.logins.count) items, \(contents.tail)"
    }

    private func contents(
        of vault: [UInt8],
        _ roots: Roots
    ) throws -> (VaultOpening<SodiumSuite>, VaultContents) {
        let source = MemorySource(vault)
        var opening = try VaultOpening(VaultPrelude(of: source, suite: suite), roots: roots, suite: suite)
        let contents = try VaultContentsReader.contents(
            of: &opening,
            in: source,
            suite: suite,
            compressor: ZlibCompressor()
        )
        return (opening, contents)
    }

    private func secret(of item: VaultContents.Item, _ opening: VaultOpening<SodiumSuite>) throws -> String {
        guard let key = opening.keyring.dataKeys[item.dataKey] else { return "locked" }
        var box = item.secretBox
        var span = box.mutableSpan
        let (_, content) = try SecretBox.open(
            &span,
            of: item.revision,
            keys: DataKeys(key, suite: suite),
            vault: opening.header.vault,
            suite: suite
        )
        return String(decoding: box[content], as: UTF8.self)
    }

    // MARK: - Answers

    /// What comes of `body`, or the failure in words.
    func answer(_ body: () throws -> String) -> String {
        do {
            return try body()
        } catch {
            return "\(error)"
        }
    }
}
