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
        guard digits.count == 2 * byteCount else { return nil }
        var bytes: [UInt8] = []
        var rest = digits[...]
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return MachineStart(bytes: bytes)
    }()
}
