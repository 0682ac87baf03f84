public import Foundation

// When the data of an item can be read: values of `kSecAttrAccessible`.

/// When the data of an item can be read.
@safe public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
/// The data can be read while the keychain is unlocked.
@safe public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// The data can be read from the first time that the keychain is unlocked until it is closed.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// The data can be read always, also while the keychain is locked.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"
/// The data can be read while the keychain is unlocked, and on this machine only.
@safe public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// The data can be read from the first time that the keychain is unlocked, and on this machine only.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// The data can be read always, and on this machine only.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// The data can be read while the keychain is unlocked, on this machine only, if a passphrase protects it.
@safe public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
