internal import CCofferLinux
internal import Glibc

/// The system calls for kernel keys, as a protocol so that tests need no kernel and can observe them.
///
/// Each throws the error number of the system.
package protocol KeyCalls: Sendable {
    /// Creates a key that holds `payload`, and links it to `keyring`.
    func add(_ description: String, payload: Span<UInt8>, to keyring: KeyringName) throws(KeyCallError) -> KeySerial

    /// Makes a key expire after this many seconds; 0 would mean never.
    func setTimeout(of key: KeySerial, seconds: UInt32) throws(KeyCallError)

    /// Sets who may do what with a key.
    func setPermissions(of key: KeySerial, to permissions: KeyPermissions) throws(KeyCallError)

    /// Links a key to `keyring`, replacing the link to a key with the same description.
    func link(_ key: KeySerial, to keyring: KeyringName) throws(KeyCallError)

    /// Removes a link.
    func unlink(_ key: KeySerial, from keyring: KeyringName) throws(KeyCallError)

    /// Returns the key with this description.
    func search(_ keyring: KeyringName, for description: String) throws(KeyCallError) -> KeySerial

    /// Reads a key's value and returns its byte count; if that is more than fits, the buffer's content is undefined.
    func read(_ key: KeySerial, into buffer: inout MutableSpan<UInt8>) throws(KeyCallError) -> Int

    /// Invalidates a key, so that it is no longer found anywhere.
    func invalidate(_ key: KeySerial) throws(KeyCallError)
}

/// The kernel's number for a key.
package struct KeySerial: Hashable, Sendable {
    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }
}

/// A keyring that always exists.
package enum KeyringName: Hashable, Sendable {
    /// The keyring of the calling thread, which nothing else can see.
    case thread
    /// The keyring shared by all processes of the user.
    case user
}

/// A key's permissions as the kernel's bits, for its possessor and for the user who owns it.
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

/// The error number of a failed call.
package struct KeyCallError: Error, Equatable, Sendable {
    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }
}

/// The kernel key calls of this machine.
package struct LinuxKeyCalls: KeyCalls {
    /// The type for keys that programs create and read, up to 32,767 bytes; not every kernel has the type for larger
    /// ones.
    private static let type = "user"

    /// Creates the calls.
    package init() {}

    package func add(
        _ description: String,
        payload: Span<UInt8>,
        to keyring: KeyringName
    ) throws(KeyCallError) -> KeySerial {
        let serial = unsafe payload.withUnsafeBufferPointer { payload in
            Self.result {
                unsafe coffer_add_key(Self.type, description, payload.baseAddress, payload.count, keyring.number)
            }
        }
        return try KeySerial(number: Int32(truncatingIfNeeded: serial.get()))
    }

    package func setTimeout(of key: KeySerial, seconds: UInt32) throws(KeyCallError) {
        try control(Int32(coffer_KEYCTL_SET_TIMEOUT), key, seconds)
    }

    package func setPermissions(of key: KeySerial, to permissions: KeyPermissions) throws(KeyCallError) {
        try control(Int32(coffer_KEYCTL_SETPERM), key, permissions.rawValue)
    }

    package func link(_ key: KeySerial, to keyring: KeyringName) throws(KeyCallError) {
        try control(Int32(coffer_KEYCTL_LINK), key, keyring)
    }

    package func unlink(_ key: KeySerial, from keyring: KeyringName) throws(KeyCallError) {
        try control(Int32(coffer_KEYCTL_UNLINK), key, keyring)
    }

    package func search(_ keyring: KeyringName, for description: String) throws(KeyCallError) -> KeySerial {
        let serial = Self.result { unsafe coffer_keyctl_search(keyring.number, Self.type, description) }
        return try KeySerial(number: Int32(truncatingIfNeeded: serial.get()))
    }

    package func read(_ key: KeySerial, into buffer: inout MutableSpan<UInt8>) throws(KeyCallError) -> Int {
        let byteCount = unsafe buffer.withUnsafeMutableBytes { buffer in
            Self.result { unsafe coffer_keyctl_read(key.number, buffer.baseAddress, buffer.count) }
        }
        return try byteCount.get()
    }

    package func invalidate(_ key: KeySerial) throws(KeyCallError) {
        try control(Int32(coffer_KEYCTL_INVALIDATE), key, 0)
    }

    private func control(_ operation: Int32, _ key: KeySerial, _ value: UInt32) throws(KeyCallError) {
        _ = try Self.result { coffer_keyctl(operation, key.number, value) }.get()
    }

    private func control(_ operation: Int32, _ key: KeySerial, _ keyring: KeyringName) throws(KeyCallError) {
        _ = try Self.result { coffer_keyctl_link(operation, key.number, keyring.number) }.get()
    }

    private static func result(_ call: () -> Int) -> Result<Int, KeyCallError> {
        let result = SystemCall.retryingInterrupted(call)
        return result < 0 ? .failure(KeyCallError(number: errno)) : .success(result)
    }
}

extension KeyringName {
    fileprivate var number: Int32 {
        switch self {
        case .thread: Int32(coffer_KEY_SPEC_THREAD_KEYRING)
        case .user: Int32(coffer_KEY_SPEC_USER_KEYRING)
        }
    }
}
