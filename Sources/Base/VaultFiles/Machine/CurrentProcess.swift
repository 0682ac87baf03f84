internal import CCofferLinux
internal import Glibc

/// Facts about the running process.
package enum CurrentProcess {
    /// The user whose rights it has.
    package static var user: UInt32 { geteuid() }

    /// Whether it has rights that the user who started it does not have.
    package static var isSetUserID: Bool { getauxval(UInt(AT_SECURE)) != 0 }

    /// Whether it has the rights of another user than its real one, whose keyring the kernel gives it.
    static var actsForOther: Bool { getuid() != geteuid() }

    /// Lends `body` the value of an environment variable, if it is set.
    package static func withVariable<Result: ~Copyable, Failure: Error>(
        _ name: String,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let value = unsafe getenv(name) else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: value, count: strlen(value))
        return try body(unsafe Span(_unsafeBytes: bytes))
    }

    /// The path of the running program without symbolic links, if known.
    package static var executable: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let byteCount = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        return byteCount > 0 ? String(validating: buffer[..<byteCount], as: UTF8.self) : nil
    }

    /// The section `coffer_entitlements` of the program, or of the library that contains this code; empty without one.
    package static var embeddedEntitlements: [UInt64] {
        unsafe Array(UnsafeBufferPointer(start: coffer_entitlements(), count: coffer_entitlements_count()))
    }
}
