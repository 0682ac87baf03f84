internal import CofferBasics
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

/// The name of the machine in its network.
package enum HostName {
    /// The name; "machine" if the system has none.
    package static var current: String {
        var name = [CChar](repeating: 0, count: 256)
        // The last byte stays zero.
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "machine" }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? "machine" : String(decoding: bytes, as: UTF8.self)
    }
}

/// The id that the kernel has drawn at the start of the machine, so that what was remembered before can be told apart.
package struct MachineStart: Equatable, Sendable {
    package static let byteCount = 16

    package let bytes: [UInt8]

    /// The id of 16 bytes.
    package init(bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount, "the id of a start has 16 bytes")
        self.bytes = bytes
    }

    /// The id of this start, or nil if the kernel does not tell.
    package static let current: MachineStart? = {
        let digits = (KernelFile.text(at: "/proc/sys/kernel/random/boot_id") ?? "").filter(\.isHexDigit)
        guard let bytes = [UInt8](hexDigits: digits), bytes.count == byteCount else { return nil }
        return MachineStart(bytes: bytes)
    }()
}
