internal import CofferBasics
package import VaultCrypto

/// What the owner of a vault knows about a grant: who has it, and for which groups.
package struct GrantTerms: Equatable, Sendable {
    package var id: GrantID
    package var created: Time
    /// From when on readers refuse the grant; nil if it does not expire.
    package var expiry: Time?
    /// The X25519 public key of the recipient.
    package var recipient: [UInt8]
    /// The name that the owner gave the grant, in UTF-8.
    package var name: [UInt8]
    /// The groups, in the order of the list of groups of the recipient.
    package var groups: [GroupID]

    package init(
        id: GrantID,
        created: Time,
        expiry: Time?,
        recipient: [UInt8],
        name: [UInt8],
        groups: [GroupID]
    ) {
        self.id = id
        self.created = created
        self.expiry = expiry
        self.recipient = recipient
        self.name = name
        self.groups = groups
    }

    /// Whether the grant has expired at `time`.
    package func hasExpired(at time: Time) -> Bool { expiry.map { $0 <= time } ?? false }
}

// MARK: - What others read

extension GrantTerms {
    /// The name, sealed for the owner.
    func note(userRoot: Key, cipher: Cipher) throws(CipherError) -> [UInt8] {
        try sealed(name, .note, userRoot, cipher)
    }

    /// The groups, sealed for all who have the structure key.
    func groups(structureKey: Key, cipher: Cipher) throws(CipherError) -> [UInt8] {
        try sealed(groups.flatMap(\.bytes), .granted, structureKey, cipher)
    }

    private func sealed(
        _ content: [UInt8],
        _ label: Label,
        _ root: Key,
        _ cipher: Cipher
    ) throws(CipherError) -> [UInt8] {
        let head = Grant.head(id: id, created: created, recipient: recipient)
        return Box.sealed(
            content.span,
            key: try root.derived(label, cipher.vault.bytes),
            associatedData: label.bytes + cipher.vault.bytes + head,
            cipher: cipher
        )
    }

    /// The terms of a grant, whose note opens with the user root.
    package init(of grant: Grant, _ groups: [GroupID], userRoot: Key, vault: VaultID) throws {
        self.groups = groups
        name = try grant.opened(grant.note, .note, userRoot, vault)
        (id, created, expiry, recipient) = (grant.id, grant.created, grant.expiry, grant.recipient)
        guard (1...Limits.groupNameByteCount).contains(name.count), String(validating: name, as: UTF8.self) != nil
        else { throw Fault(.badValue) }
    }
}

extension Grant {
    /// The groups of the grant.
    package func groups(structureKey: Key, vault: VaultID) throws -> [GroupID] {
        var reader = ByteReader(try opened(groups, .granted, structureKey, vault))
        var ids: [GroupID] = []
        while reader.remainingByteCount > 0 { ids.append(try reader.readShortIdentifier()) }
        guard Set(ids).count == ids.count else { throw Fault(.duplicate) }
        return ids
    }

    fileprivate func opened(_ box: [UInt8], _ label: Label, _ root: Key, _ vault: VaultID) throws -> [UInt8] {
        let key = try root.derived(label, vault.bytes)
        return try Box.opened(box.span, key: key, associatedData: label.bytes + vault.bytes + head)
    }
}

/// Section 18.6: a request for a grant or a recipient slot, which anyone may read.
///
/// Its check covers vault and team, so that an owner notices a credential that pins others.
package struct GrantRequest: Equatable, Sendable {
    package let grant: GrantID
    /// The X25519 public key of the recipient.
    package let publicKey: [UInt8]
    private let check: [UInt8]

    private static let checkByteCount = 16

    /// The request of the holder of `credential`.
    package init(of credential: CredentialFile) {
        grant = credential.grant
        publicKey = credential.secret.publicKey
        check = Self.check(grant, publicKey, vault: credential.vault, team: credential.team)
    }

    /// Reads a request, which has 128 hexadecimal digits; nil if the text is not a request.
    package init?(_ text: String) {
        guard let bytes = [UInt8](hexDigits: text), bytes.count == 48 + Self.checkByteCount else { return nil }
        grant = GrantID(bytes.span.extracting(..<16))
        publicKey = Array(bytes[16..<48])
        check = Array(bytes[48...])
        guard grant != .none else { return nil }
    }

    /// Whether the credential of the recipient pins this vault and team.
    package func isFor(_ vault: VaultID, team: [UInt8]) -> Bool {
        check == Self.check(grant, publicKey, vault: vault, team: team)
    }

    private static func check(_ grant: GrantID, _ publicKey: [UInt8], vault: VaultID, team: [UInt8]) -> [UInt8] {
        Label.request.hash(checkByteCount, vault.bytes + team + grant.bytes + publicKey)
    }
}

extension GrantRequest: CustomStringConvertible {
    /// The digits of the request.
    package var description: String { (grant.bytes + publicKey + check).hexDigits }
}
