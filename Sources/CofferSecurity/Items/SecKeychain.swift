public import Foundation

// Of the keychains in files that macOS had before: there are none here, so nothing makes these.

/// A keychain in a file of macOS, of which there are none here.
public final class SecKeychain: NSObject, @unchecked Sendable {
    private override init() {}
}

/// An item of a keychain in a file of macOS, of which there are none here.
public final class SecKeychainItem: NSObject, @unchecked Sendable {
    private override init() {}
}

/// Who may use an item of a keychain in a file of macOS, of which there are none here.
public final class SecAccess: NSObject, @unchecked Sendable {
    private override init() {}
}

/// A program that may use an item of a keychain in a file of macOS, of which there are none here.
public final class SecTrustedApplication: NSObject, @unchecked Sendable {
    private override init() {}
}
