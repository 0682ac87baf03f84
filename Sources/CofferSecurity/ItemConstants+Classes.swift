public import Foundation

// The classes of items: values of `kSecClass`, which every request has that does not name an item by a reference.

/// The class of items that a request is about.
public nonisolated(unsafe) let kSecClass: CFString = "class"
/// A password for a service.
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// A password for a server.
public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
/// A certificate.
public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
/// A cryptographic key.
public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
/// A certificate together with its private key.
public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"
