internal import CofferBasics
internal import VaultCrypto
package import VaultFormat

/// The data of an item, in memory that is wiped on release.
package struct Secret: ~Copyable {
    private var buffer: SecretBuffer
    private var content: Range<Int>
    package private(set) var form: SecretForm
    private let revision: Revision
    private let vault: VaultID

    init(opening box: Span<UInt8>, of revision: Revision, keys: DataKeys) throws(Fault) {
        try self.init(openingIn: SecretBuffer(copying: box), of: revision, keys: keys)
    }

    /// Opens the box in `buffer` in place.
    init(openingIn buffer: consuming SecretBuffer, of revision: Revision, keys: DataKeys) throws(Fault) {
        (form, content) = try buffer.withMutableSpan { bytes throws(Fault) in
            try SecretBox.open(&bytes, of: revision, keys: keys)
        }
        self.buffer = buffer
        self.revision = revision
        vault = keys.cipher.vault
    }

    /// How the application password of the data was stretched; nil if the data has none.
    package var stretching: PasswordStretching? {
        get throws(Fault) {
            guard form == .applicationPassword else { return nil }
            return try withBytes { content throws(Fault) in try PasswordStretching(of: content) }
        }
    }

    /// Whether the data has this application password.
    package func isSealed(with password: ApplicationPasswordKey) throws(Fault) -> Bool {
        guard form == .applicationPassword else { return false }
        return try withBytes { content throws(Fault) in try password.opens(content, of: revision, vault: vault) }
    }

    /// The data under an application password; nil if the password is wrong.
    package consuming func opened(with password: ApplicationPasswordKey) throws(Fault) -> Secret? {
        let range = content
        let (revision, vault) = (revision, vault)
        let opened = try buffer.withMutableSpan { bytes throws(Fault) in
            var content = bytes._mutatingExtracting(range)
            return try password.open(&content, of: revision, vault: vault)
        }
        guard let (form, data) = opened else { return nil }
        self.form = form
        content = range.lowerBound + data.lowerBound..<range.lowerBound + data.upperBound
        return self
    }

    /// Throws unless the data is valid for its form, and an item with these attributes has that form.
    package func check(for attributes: ItemAttributes) throws(Fault) {
        try attributes.check(form)
        try withBytes { bytes throws(Fault) in try SecretContent.check(bytes, form: form) }
    }

    /// The size of the data.
    package var byteCount: Int { content.count }

    /// Lends the data to `body`.
    package func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withSpan { bytes throws(Failure) in try body(bytes.extracting(content)) }
    }
}

extension Optional where Wrapped: ~Copyable, Wrapped == Secret {
    /// How the application password of the data was stretched; nil if the data has none.
    package var stretching: PasswordStretching? {
        get throws(Fault) {
            switch self {
            case .some(let secret): try secret.stretching
            case .none: nil
            }
        }
    }

    /// The data without its application password, if it has one; throws if that is not `password`.
    package consuming func opened(withIfNeeded password: ApplicationPasswordKey?) throws(Fault) -> Secret? {
        guard let secret = self else { return nil }
        guard secret.form == .applicationPassword else { return secret }
        guard let password, let opened = try secret.opened(with: password) else { throw Fault(.notAuthentic) }
        return opened
    }
}
