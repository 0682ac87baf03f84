public import Foundation

// Types of the file-based keychain of macOS, which does not exist here; they have no instances.

/// A file-based keychain of macOS; never created here.
public final class SecKeychain: NSObject, @unchecked Sendable {
    private override init() {}
}

/// An item of a file-based keychain of macOS; never created here.
public final class SecKeychainItem: NSObject, @unchecked Sendable {
    private override init() {}
}

/// Access rights of an item of a file-based keychain of macOS; never created here.
public final class SecAccess: NSObject, @unchecked Sendable {
    private override init() {}
}

/// A program that may use an item of a file-based keychain of macOS; never created here.
public final class SecTrustedApplication: NSObject, @unchecked Sendable {
    private override init() {}
}
