internal import Coffer
internal import CofferBasics

/// Encrypts documents with a key in the keychain (Spec/local-persistence.md, section 5).
struct ArchiveSeal: Sendable {
    /// What an encrypted file begins with.
    static let magic: [UInt8] = [0x89, 0x43, 0x4F, 0x46, 0x44, 0x0D, 0x1A, 0x0A]
    /// The most that a file has beside what it holds: the beginning, the box and its padding.
    static let overhead = 1 << 20
    private static let label = Array("coffer1.document".utf8)
    /// The account of the item that has the key.
    private static let account = "key"

    private let place: SecretPlace

    init(_ place: SecretPlace) {
        self.place = place
    }

    /// Opens the vault, or makes it, so that the key is there, or added, at once later.
    func openVault(isKeyInUse: () throws(PersistenceError) -> Bool) throws(PersistenceError) {
        guard try storedKey() == nil, try !isKeyInUse() else { return }
        try place.use { _ in }
    }

    static func isSealed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    /// A document, encrypted for its name.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - name: Its name.
    ///   - isKeyInUse: Whether other documents depend on the key, so that there can be no new one.
    /// - Returns: The content of the file.
    /// - Throws: Why there is no key.
    func sealed(
        _ bytes: [UInt8],
        name: String,
        isKeyInUse: () throws(PersistenceError) -> Bool
    ) throws(PersistenceError) -> [UInt8] {
        let key = try key(ifAbsent: isKeyInUse)
        return Self.magic + key.sealed(bytes.span, for: Self.associatedData(name))
    }

    /// What an encrypted document holds.
    func opened(_ bytes: [UInt8], name: String, path: String) throws(PersistenceError) -> [UInt8] {
        let key = try key { true }
        let box = bytes.span.extracting(Self.magic.count...)
        guard let content = key.opened(box, for: Self.associatedData(name)) else {
            throw .damaged(path: path, reason: "it was not written with the key in the keychain, or changed since")
        }
        return content
    }

    private static func associatedData(_ name: String) -> [UInt8] { label + Array(name.utf8) }

    /// The key; a new one is made if there is none and none is in use.
    private func key(ifAbsent isKeyInUse: () throws(PersistenceError) -> Bool) throws(PersistenceError) -> DocumentKey {
        if let key = try storedKey() { return key }
        guard try !isKeyInUse() else { throw .keyMissing(service: place.service) }
        var bytes = try translating({ PersistenceError.keychain(.vault($0)) }, DocumentKey.newBytes())
        defer { bytes.wipe() }
        // Documents are read as long as the app runs, as a file is that iOS protects until the first unlock.
        try place.add(Self.account, bytes, .afterFirstUnlock)
        // Another process may have been quicker.
        guard let key = try storedKey() else { throw .keyMissing(service: place.service) }
        return key
    }

    private func storedKey() throws(PersistenceError) -> DocumentKey? {
        try place.withSecret(Self.account) { bytes throws(KeychainError) in
            guard bytes.count == DocumentKey.byteCount else { throw .cannotDecode("the key of documents") }
            return try translating(KeychainError.vault, DocumentKey(bytes))
        }
    }
}
