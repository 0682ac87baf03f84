/// The calls of the kernel's key service: a seam, so that tests need no kernel and can look on.
///
/// Each throws the error number of the system.
package protocol KeyCalls: Sendable {
    /// Makes a key that keeps `payload`, and links it to `keyring`.
    func add(_ description: String, payload: Span<UInt8>, to keyring: KeyringName) throws(KeyCallError) -> KeySerial

    /// Ends a key after so many seconds; 0 would be never.
    func setTimeout(of key: KeySerial, seconds: UInt32) throws(KeyCallError)

    /// Says who may do what with a key.
    func setPermissions(of key: KeySerial, to permissions: KeyPermissions) throws(KeyCallError)

    /// Makes a key be found in `keyring`, instead of the one that has the same description there.
    func link(_ key: KeySerial, to keyring: KeyringName) throws(KeyCallError)

    /// Undoes a link.
    func unlink(_ key: KeySerial, from keyring: KeyringName) throws(KeyCallError)

    /// The key with this description.
    func search(_ keyring: KeyringName, for description: String) throws(KeyCallError) -> KeySerial

    /// Reads what a key keeps, and returns how much that is: if it is more than fits, nothing counts.
    func read(_ key: KeySerial, into buffer: inout MutableSpan<UInt8>) throws(KeyCallError) -> Int

    /// Makes a key be found nowhere any more.
    func invalidate(_ key: KeySerial) throws(KeyCallError)
}

/// What the kernel calls a key by.
package struct KeySerial: Hashable, Sendable {
    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }
}

/// A keyring that is there without being made.
package enum KeyringName: Hashable, Sendable {
    /// That of the calling thread, into which nobody else sees.
    case thread
    /// That of all processes of the user.
    case user
}

/// Who may do what with a key: the numbers of the kernel, for who possesses it and for the user who owns it.
package struct KeyPermissions: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let possessorViews = Self(rawValue: 0x0100_0000)
    package static let possessorReads = Self(rawValue: 0x0200_0000)
    package static let possessorSearches = Self(rawValue: 0x0800_0000)
    package static let possessorLinks = Self(rawValue: 0x1000_0000)
    package static let userViews = Self(rawValue: 0x0001_0000)
    package static let userReads = Self(rawValue: 0x0002_0000)
    package static let userSearches = Self(rawValue: 0x0008_0000)
}

/// An error number that a call has left.
package struct KeyCallError: Error, Equatable, Sendable {
    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }
}
