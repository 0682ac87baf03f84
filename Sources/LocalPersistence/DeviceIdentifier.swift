public import Coffer
public import Foundation

/// An identifier of this machine for an app: made when it is first asked for, and the same ever after, also when the app
/// was removed and came back.
///
/// It lies in the keychain, where only this machine can read it, so that a copy of the vault has another one elsewhere.
///
/// ```swift
/// let id = try DeviceIdentifier(service: "com.example.notes").value()
/// ```
public struct DeviceIdentifier: Sendable {
    private static let account = "identifier"
    private let place: SecretPlace

    /// The identifier for a service.
    ///
    /// - Parameters:
    ///   - service: What it is for, such as the name of the app; the service of its item is `<service>.device`.
    ///   - group: The access group; apps that share it have the same identifier.
    ///   - keychain: Where it is; nil for the default keychain of the moment.
    public init(service: String, group: String? = nil, keychain: DefaultKeychain? = nil) {
        place = SecretPlace(service: service + ".device", group: group, keychain: keychain)
    }

    /// The identifier, which is made if there is none.
    ///
    /// - Returns: The identifier; the same for all threads and processes that ask at once.
    /// - Throws: ``PersistenceError/cannotDecode(_:)`` if what is there is none; it stays. And why the keychain does not tell.
    public func value() throws(PersistenceError) -> UUID {
        if let known = try stored() { return known }
        try place.add(Self.account, Array(UUID().uuidString.utf8), .afterFirstUnlockThisDeviceOnly)
        // Another one may have been quicker.
        guard let value = try stored() else { throw .keychain(.itemNotFound) }
        return value
    }

    /// Forgets the identifier, so that there will be another one.
    ///
    /// ```swift
    /// try DeviceIdentifier(service: "com.example.notes").reset()
    /// ```
    ///
    /// - Throws: Why the keychain does not delete it.
    public func reset() throws(PersistenceError) { try place.delete(Self.account) }

    private func stored() throws(PersistenceError) -> UUID? {
        try place.withSecret(Self.account) { bytes throws(KeychainError) in
            let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
            guard let value = UUID(uuidString: text) else { throw .cannotDecode("UUID") }
            return value
        }
    }
}
