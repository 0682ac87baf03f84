internal import CCofferLinux
internal import Glibc

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
