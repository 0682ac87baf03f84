public import Foundation

// The protection classes, which decide when the data of an item can be read: values of `kSecAttrAccessible`.

/// The protection class of an item: when its data can be read.
@safe public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
/// The data can be read while the keychain is unlocked.
@safe public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// The data can be read once the keychain has been unlocked for the first time, until it is closed.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// The data can always be read, even while the keychain is locked.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"
/// The data can be read while the keychain is unlocked, on this machine only.
@safe public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// The data can be read once the keychain has been unlocked for the first time, on this machine only.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// The data can always be read, on this machine only.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// The data can be read while the keychain is unlocked, on this machine only; requires a passphrase.
@safe public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
