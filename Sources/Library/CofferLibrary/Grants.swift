// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer

/// A grant that C code describes.
private struct Grant {
    let name: String
    let groups: [String]
    let expiry: KeychainDate?

    init(_ grant: UnsafePointer<coffer_grant>?) throws(InvalidArgument) {
        guard let grant = unsafe grant?.pointee else { throw InvalidArgument("`grant` is NULL") }
        name = unsafe try grant.name.text("name")
        groups = unsafe try texts(grant.groups, grant.group_count, "groups")
        expiry = unsafe grant.expiry == 0 ? nil : KeychainDate(secondsSince1970: grant.expiry)
    }
}

@c @implementation public func coffer_vault_issue_grant(
    _ vault: OpaquePointer?,
    _ grant: UnsafePointer<coffer_grant>?,
    _ credentialPath: coffer_bytes,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        let vault = unsafe try VaultHandle.opened(vault)
        let (grant, path) = unsafe (try Grant(grant), try credentialPath.path("credential_path"))
        // Before the grant, so that none is issued whose credential is lost.
        try Vault.checkNothing(isAt: path, options: vault.options)
        let credential = try vault.issueGrant(named: grant.name, for: grant.groups, until: grant.expiry)
        try credential.write(to: path, options: vault.options)
    }
}

@c @implementation public func coffer_vault_issue_requested_grant(
    _ vault: OpaquePointer?,
    _ grant: UnsafePointer<coffer_grant>?,
    _ request: coffer_bytes,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        let vault = unsafe try VaultHandle.opened(vault)
        let (grant, request) = unsafe (try Grant(grant), try request.text("request"))
        try vault.issueGrant(named: grant.name, for: grant.groups, until: grant.expiry, request: request)
    }
}

@c @implementation public func coffer_grant_request(
    _ vaultPath: coffer_bytes,
    _ options: OpaquePointer?,
    _ credentialPath: coffer_bytes,
    _ request: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: request, error) {
        let options = unsafe OptionsHandle.state(options).options
        let path = unsafe try credentialPath.path("credential_path")
        let credential = try GrantCredential.requested(ofVaultAt: unsafe vaultPath.path("vault_path"), options: options)
        try credential.write(to: path, options: options)
        return SecretHandle(credential.request.utf8Span.span)
    }
}

@c @implementation public func coffer_vault_add_recipient(
    _ vault: OpaquePointer?,
    _ request: coffer_bytes,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        try unsafe VaultHandle.opened(vault).addRecipient(request: request.text("request"))
    }
}

@c @implementation public func coffer_vault_revoke_grants(
    _ vault: OpaquePointer?,
    _ ids: UnsafePointer<coffer_bytes>?,
    _ idCount: Int,
    _ progress: coffer_progress?,
    _ context: UnsafeMutableRawPointer?,
    _ facts: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: facts, isNeeded: false, error) {
        let vault = unsafe try VaultHandle.opened(vault)
        let (ids, known) = unsafe (try texts(ids, idCount, "ids"), try vault.grants)
        guard ids.allSatisfy({ id in known.contains { $0.id == id } }) else {
            throw InvalidArgument("a grant with one of the ids does not exist")
        }
        let work = vault.revocation(of: known.filter { ids.contains($0.id) })
        return FactsHandle(try unsafe VaultHandle.perform(work, progress, context))
    }
}
