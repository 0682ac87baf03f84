internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultStore

/// The copies of a vault that this machine has tried to merge and reported: `Spec/sync.md`, section 2.
///
/// A copy is known by its content and the keys that the vault had then, so one of which either changes is tried again.
package struct ReportedCopies {
    private static let nameByteCount = 16
    private static let countLimit = 64

    private let vault: Vault
    private let fileName: String
    private let keysMark: [UInt8]
    /// The names of the copies, the oldest first.
    private var names: [[UInt8]] = []

    /// Reads which copies were reported; none if that cannot be read.
    fileprivate init(of vault: Vault) throws(VaultError) {
        self.vault = vault
        let (id, mark) = try translating(VaultError.ofStore) { () throws(StoreError) in
            try vault.store.read { ($0.vault, $0.keysMark) }
        }
        fileName = "\(id)"
        keysMark = id.bytes + mark
        guard let path = Self.directoryPath(of: vault), let bytes = try? Self.bytes(of: fileName, in: path, vault)
        else {
            return
        }
        names = stride(from: 0, through: bytes.count - Self.nameByteCount, by: Self.nameByteCount).map {
            Array(bytes[$0..<$0 + Self.nameByteCount])
        }
    }

    private static func bytes(of name: String, in path: String, _ vault: Vault) throws(FileError) -> [UInt8] {
        let environment = vault.store.environment
        let directory = try environment.files.trustedDirectory(path)
        let file = try directory.openTrusted(name, for: .reading, user: environment.user)
        return try file.bytes(in: 0..<countLimit * nameByteCount)
    }

    private static func directoryPath(of vault: Vault) -> String? {
        vault.options.places.anchors.map { "\($0)/reported" }
    }

    private func name(of digest: [UInt8]) -> [UInt8] { Label.place.hash(Self.nameByteCount, keysMark + digest) }

    /// Whether the copy with this digest was reported.
    package func contains(_ digest: [UInt8]) -> Bool { names.contains(name(of: digest)) }

    /// Remembers that the copy with this digest was reported; if that fails, it is reported again.
    package mutating func insert(_ digest: [UInt8]) {
        guard !contains(digest), let path = Self.directoryPath(of: vault) else { return }
        names = (names + [name(of: digest)]).suffix(Self.countLimit)
        try? write(to: path)
    }

    private func write(to path: String) throws(FileError) {
        let environment = vault.store.environment
        let directory = try environment.files.makeDirectory(path)
        let bytes = names.flatMap(\.self)
        let temporaryName = ".\(fileName).\(environment.random.number()).tmp"
        try DurableFile.replace(fileName, bytes.span, in: directory, by: temporaryName)
    }
}

extension Vault {
    /// Returns the copies that were reported as ones that cannot be merged, or not completely.
    package func reportedCopies() throws(VaultError) -> ReportedCopies { try ReportedCopies(of: self) }
}
