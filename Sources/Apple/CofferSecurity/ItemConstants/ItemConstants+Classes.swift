public import Foundation

// The classes of items: values of `kSecClass`, required in every request that does not name an item by a reference.

/// The class of the items of a request.
@safe public nonisolated(unsafe) let kSecClass: CFString = "class"
/// A password for a service.
@safe public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// A password for a server.
@safe public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
/// A certificate.
@safe public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
/// A cryptographic key.
@safe public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
/// A certificate with its private key.
@safe public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"
