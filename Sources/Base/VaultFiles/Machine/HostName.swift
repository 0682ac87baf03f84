internal import Glibc

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
