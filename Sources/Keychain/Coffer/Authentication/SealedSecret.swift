internal import VaultFormat
internal import VaultStore

/// The data of an item that has an application password.
struct SealedSecret: ~Copyable {
    fileprivate let secret: Secret
    fileprivate let stretching: PasswordStretching

    /// Takes the data of an item; nil if that has no application password.
    fileprivate init?(_ secret: consuming Secret?, of name: ItemName, _ attributes: ItemAttributes) throws {
        guard let secret else { return nil }
        do {
            try attributes.check(secret.form)
            guard let stretching = try secret.stretching else { return nil }
            self.secret = secret
            self.stretching = stretching
        } catch {
            throw StoreError.invalidItem(name, error.reason)
        }
    }
}

extension Optional where Wrapped: ~Copyable, Wrapped == SealedSecret {
    /// How the password was stretched, and whether the one in `context` is right; that is nil if it has none.
    borrowing func password(
        from context: AuthenticationContext
    ) throws -> (stretching: PasswordStretching, isRight: Bool?)? {
        switch self {
        case .none: return nil
        case .some(let sealed):
            guard let key = context.passwordKey(sealed.stretching) else { return (sealed.stretching, nil) }
            return (sealed.stretching, try sealed.secret.isSealed(with: key))
        }
    }
}

extension OpenGeneration {
    /// Returns the data of an item if it has an application password; throws if the item is damaged.
    mutating func sealedSecret(
        of item: StoredItem,
        _ attributes: ItemAttributes
    ) throws -> SealedSecret? {
        guard attributes.accessControl?.hasApplicationPassword ?? false else { return nil }
        return try SealedSecret(secret(of: item), of: item.name, attributes)
    }

    /// Returns the data of a past revision if it has an application password; throws if the revision is damaged.
    mutating func sealedSecret(
        of past: PastRevision,
        _ attributes: ItemAttributes
    ) throws -> SealedSecret? {
        guard attributes.accessControl?.hasApplicationPassword ?? false else { return nil }
        return try SealedSecret(secret(of: past), of: past.name, attributes)
    }
}
