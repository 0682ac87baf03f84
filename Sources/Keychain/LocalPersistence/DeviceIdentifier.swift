public import Coffer
internal import CofferBasics
public import Foundation

/// An identifier of this machine for an app.
///
/// It is created when it is first requested and then remains the same, even if the app is removed and installed again.
/// It is stored in the keychain, where only this machine can read it, so a copy of the vault on another machine gets
/// another identifier.
///
/// ```swift
/// let id = try DeviceIdentifier(service: "com.example.notes").value()
/// ```
public struct DeviceIdentifier: Sendable {
    private static let account = "identifier"
    private let place: KeychainService

    /// Creates access to the identifier for a service.
    ///
    /// - Parameters:
    ///   - service: The service, such as the name of the app; the service of the item is `<service>.device`.
    ///   - group: The access group; apps that share it have the same identifier.
    ///   - keychain: The keychain; nil for the default keychain at the time of each call.
    public init(service: String, group: String? = nil, keychain: Keychain? = nil) {
        place = KeychainService(service: service + ".device", group: group, keychain: keychain)
    }

    /// Returns the identifier, and creates it if none exists.
    ///
    /// - Returns: The identifier; the same for all threads and processes that ask at the same time.
    /// - Throws: ``PersistenceError/cannotDecode(_:)`` if the item holds no identifier (it is left unchanged), or
    ///   another ``PersistenceError`` if the keychain cannot be used.
    public func value() throws(PersistenceError) -> UUID {
        if let known = try stored() { return known }
        try place.add(Self.account, Array(UUID().uuidString.utf8), .afterFirstUnlockThisDeviceOnly)
        // Another thread or process may have added its identifier first.
        guard let value = try stored() else { throw .keychain(.itemNotFound) }
        return value
    }

    /// Deletes the identifier, so that the next call of ``value()`` creates a new one.
    ///
    /// ```swift
    /// try DeviceIdentifier(service: "com.example.notes").reset()
    /// ```
    ///
    /// - Throws: ``PersistenceError`` if the keychain cannot delete it.
    public func reset() throws(PersistenceError) { try place.delete(Self.account) }

    private func stored() throws(PersistenceError) -> UUID? {
        try place.withSecret(Self.account) { bytes in
            let text = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
            guard let value = UUID(uuidString: text) else { throw PersistenceError.cannotDecode("UUID") }
            return value
        }
    }
}
