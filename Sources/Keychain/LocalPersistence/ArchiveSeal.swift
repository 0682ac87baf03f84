internal import Coffer
internal import CofferBasics

/// Encrypts documents with a key in the keychain (Spec/local-persistence.md, section 5).
struct ArchiveSeal: Sendable {
    /// The first bytes of an encrypted file.
    static let magic: [UInt8] = [0x89, 0x43, 0x4F, 0x46, 0x44, 0x0D, 0x1A, 0x0A]
    /// The largest difference between the size of a file and its content: the magic number, the box and its padding.
    static let overhead = 1 << 20
    private static let label = Array("coffer1.document".utf8)
    /// The account of the item that holds the key.
    private static let account = "key"

    private let place: KeychainService
    /// When the key is readable; nil for the accessibility that it has.
    private let accessibility: Accessibility?

    init(_ place: KeychainService, _ accessibility: Accessibility?) {
        self.place = place
        self.accessibility = accessibility
    }

    /// Opens or creates the vault, so that the key can later be read or added without delay.
    func openVault(isKeyInUse: () throws -> Bool) throws {
        guard try storedKey() == nil, try !isKeyInUse() else { return }
        try place.use { keychain in try keychain.openOrCreateVault() }
    }

    static func isSealed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    /// Encrypts a document and binds it to its name.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - name: The name of the document.
    ///   - isKeyInUse: Whether other documents depend on the key, so that no new key may be made.
    /// - Returns: The content of the file.
    /// - Throws: ``PersistenceError`` if there is no key and none can be made.
    func sealed(
        _ bytes: [UInt8],
        name: String,
        isKeyInUse: () throws -> Bool
    ) throws -> [UInt8] {
        let key = try key(ifAbsent: isKeyInUse)
        // First, so that no document is written if the class is locked.
        if let accessibility { try place.protect(Self.account, accessibility) }
        return Self.magic + key.sealed(bytes.span, for: Self.associatedData(name))
    }

    /// Decrypts the content of an encrypted file.
    func opened(_ bytes: [UInt8], name: String, path: String) throws -> [UInt8] {
        let key = try key { true }
        let box = bytes.span.extracting(Self.magic.count...)
        guard let content = key.opened(box, for: Self.associatedData(name)) else {
            throw PersistenceError.damaged(
                path: path,
                reason: "not encrypted with the key in the keychain, or changed since"
            )
        }
        return content
    }

    private static func associatedData(_ name: String) -> [UInt8] { label + Array(name.utf8) }

    /// The key; if none exists and no document depends on it, a new one is made.
    private func key(ifAbsent isKeyInUse: () throws -> Bool) throws -> DocumentKey {
        if let key = try storedKey() { return key }
        let missing = PersistenceError.keyMissing(service: place.service)
        guard try !isKeyInUse() else { throw missing }
        var bytes = try DocumentKey.newBytes()
        defer { bytes.wipe() }
        // An app reads documents as long as it runs, like files that iOS protects until the first unlock.
        try place.add(Self.account, bytes, accessibility ?? .afterFirstUnlock)
        // Another process may have added its key first.
        guard let key = try storedKey() else { throw missing }
        return key
    }

    private func storedKey() throws -> DocumentKey? {
        try place.withSecret(Self.account) { bytes in
            guard bytes.count == DocumentKey.byteCount else { throw PersistenceError.cannotDecode("document key") }
            return try DocumentKey(bytes)
        }
    }
}
