internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// A grant: the keys of some groups of a vault, for one recipient.
///
/// ```swift
/// for grant in try vault.grants { print(grant.name, grant.groups) }
/// ```
public struct VaultGrant: Equatable, Sendable {
    /// The identifier of the grant, in hexadecimal digits.
    public let id: String
    /// The name that the owner gave the grant.
    public let name: String
    /// The names of the groups; items that name none go to the first one.
    public let groups: [String]
    /// When the grant was issued; after a change of keys, too, when it was first issued.
    public let created: KeychainDate
    /// From when on the grant opens nothing; nil if it does not expire.
    public let expiry: KeychainDate?
    /// Whether the grant has expired; its keys are renewed when an owner changes the vault next.
    public let hasExpired: Bool
}

extension Vault {
    /// The groups of the grant that opened the vault, in its order; nil if something else opened it.
    ///
    /// A ``Keychain`` of the vault then has no other groups.
    public var grantedGroups: [String]? {
        store.grantedGroups?.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The grants of the vault, in the order in which they were issued.
    ///
    /// Only an owner knows them, so the vault must be unlocked.
    public var grants: [VaultGrant] {
        get throws(VaultError) {
            let now = Time(microseconds: store.environment.time.wallMicroseconds())
            return try VaultError.converting { try store.grants() }.map { terms, groups in
                VaultGrant(
                    id: terms.id.description,
                    name: String(decoding: terms.name, as: UTF8.self),
                    groups: groups.map { String(decoding: $0, as: UTF8.self) },
                    created: KeychainDate(terms.created),
                    expiry: terms.expiry.map(KeychainDate.init),
                    hasExpired: terms.hasExpired(at: now)
                )
            }
        }
    }

    /// The number of grants, which is no secret of the owner.
    package var grantCount: Int {
        get throws(VaultError) {
            try read { vault in
                vault.verifiedKeybag.entries.count { if case .grant = $0 { true } else { false } }
            }
        }
    }

    /// Issues a grant of some groups of the vault, for a program or another person.
    ///
    /// The holder of the credential can read, add, change and delete items of these groups, of the protections that are
    /// not bound to a device, and cannot read or change anything else in the vault. There are no grants that only read.
    /// A group that does not exist is created.
    ///
    /// - Parameters:
    ///   - name: A name for the grant, which only owners see.
    ///   - groups: The names of the groups; items that name none go to the first one.
    ///   - expiry: From when on the grant opens nothing. Its keys are renewed when an owner changes the vault next.
    /// - Returns: The credential, which is kept nowhere else.
    /// - Throws: ``VaultError`` if the vault is locked, or cannot be written.
    public func issueGrant(
        named name: String,
        for groups: [String],
        until expiry: KeychainDate? = nil
    ) throws(VaultError) -> GrantCredential {
        let (vault, team) = try VaultError.converting { try store.team() }
        let credential = try GrantCredential.made(vault: vault, team: team, store.environment)
        try issueGrant(named: name, for: groups, until: expiry, GrantRequest(of: credential.file))
        return credential
    }

    /// Grants some groups of the vault to whoever made a request, as ``issueGrant(named:for:until:)``.
    ///
    /// - Parameters:
    ///   - name: A name for the grant, which only owners see.
    ///   - groups: The names of the groups; items that name none go to the first one.
    ///   - expiry: From when on the grant opens nothing.
    ///   - request: The ``GrantCredential/request`` of the recipient, from a source that can be trusted.
    /// - Throws: ``VaultError`` if the request is for another vault.
    public func issueGrant(
        named name: String,
        for groups: [String],
        until expiry: KeychainDate? = nil,
        request: String
    ) throws(VaultError) {
        try issueGrant(named: name, for: groups, until: expiry, try checked(request))
    }

    private func issueGrant(
        named name: String,
        for groups: [String],
        until expiry: KeychainDate?,
        _ request: GrantRequest
    ) throws(VaultError) {
        let groups = groups.map { Array($0.utf8) }
        let sizes = 1...Limits.groupNameByteCount
        guard sizes.contains(name.utf8.count), !groups.isEmpty, groups.allSatisfy({ sizes.contains($0.count) }) else {
            throw VaultError(
                kind: .unavailable,
                description: """
                    a grant has a name, and at least one group; names have 1 to \(sizes.upperBound.grouped) bytes
                    """
            )
        }
        try VaultError.converting {
            // The holder may not be able to create it.
            try store.prepareRefreshing()
            try store.issueGrant(
                request.grant,
                named: Array(name.utf8),
                of: groups.withoutRepetition,
                to: request.publicKey,
                until: expiry?.time
            )
        }
    }

    /// Whether the vault has a grant, or ever had one: then a search without a group is answered by a single group.
    package var hasHadGrants: Bool {
        get throws(VaultError) {
            try read { vault in vault.hasHadGrants }
        }
    }

    /// Lets whoever made a request open the whole vault, as an owner.
    ///
    /// - Parameter request: The ``GrantCredential/request`` of the recipient, from a source that can be trusted.
    /// - Throws: ``VaultError`` if the vault is locked, or the request is for another vault.
    public func addRecipient(request: String) throws(VaultError) {
        let request = try checked(request)
        try VaultError.converting {
            try store.addRecipient(SlotID(request.grant.bytes.span), publicKey: request.publicKey)
        }
    }

    /// Returns work that revokes grants: the keys that they held are renewed, and items sealed with the new ones.
    ///
    /// Earlier copies of the file still open with the credential, and what the holder has copied stays with it.
    ///
    /// - Parameter grants: The grants to revoke.
    /// - Returns: The work, which starts when it is awaited. If it fails, nothing is changed.
    public func revocation(of grants: [VaultGrant]) -> VaultWork<KeyChangeSummary> {
        let ids = Set(grants.map(\.id))
        return VaultWork { [self] shouldContinue in
            let known = try store.grants().map(\.terms.id).filter { ids.contains($0.description) }
            let report = try store.revokeGrants(Set(known)) {
                shouldContinue(VaultProgress($0.byteCount, of: $0.expectedByteCount))
            }
            _ = try? stopKeepingUnlocked()
            return KeyChangeSummary(report, slots: [])
        }
    }

    private func checked(_ text: String) throws(VaultError) -> GrantRequest {
        let (vault, team) = try VaultError.converting { try store.team() }
        guard let request = GrantRequest(text) else {
            throw VaultError(
                kind: .unavailable,
                description: "a request has 128 hexadecimal digits; copy all of what the recipient's command printed"
            )
        }
        guard request.isFor(vault, team: team) else {
            throw VaultError(
                kind: .unavailable,
                description: """
                    the request is not for \(path.printable): the recipient made it beside another file, or a digit is \
                    wrong; let it be made again beside this vault
                    """
            )
        }
        guard try !VaultError.converting({ try store.hasGrantOrSlot(request.grant) }) else {
            throw VaultError(
                kind: .unavailable,
                description: "the request was already used; let the recipient make another credential"
            )
        }
        return request
    }
}
