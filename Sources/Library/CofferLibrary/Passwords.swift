// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer
internal import CofferBasics

extension KeychainHandle {
    /// The keychain behind a handle; the user's own one for NULL.
    fileprivate static func orUsers(_ keychain: OpaquePointer?) throws(InvalidArgument) -> KeychainHandle {
        if let handle = unsafe at(keychain) { return handle }
        return KeychainHandle(Keychain(groups: try unsafe AccessGroups(nil)) { _ in })
    }
}

@c @implementation public func coffer_password_get(
    _ keychain: OpaquePointer?,
    _ service: UnsafePointer<CChar>?,
    _ account: UnsafePointer<CChar>?,
    _ password: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: password, error) {
        let (service, account) = unsafe (try name(service), try name(account))
        let found = unsafe try KeychainHandle.orUsers(keychain).secret(whereAll: .passwords(service, account))
        guard let found else { throw KeychainError.itemNotFound }
        return found
    }
}

@c @implementation public func coffer_password_set(
    _ keychain: OpaquePointer?,
    _ service: UnsafePointer<CChar>?,
    _ account: UnsafePointer<CChar>?,
    _ password: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        let (service, account) = unsafe (try name(service), try name(account))
        guard let password = unsafe password else { throw InvalidArgument("`password` is NULL") }
        try unsafe coffer_string(password).withSpan { bytes in
            try unsafe KeychainHandle.orUsers(keychain).use {
                try $0.passwords(service: service).set(bytes, for: account)
            } inside: {
                try $0.setPassword(bytes, service, account)
            }
        }
    }
}
