import CCryptoClear
import Foundation

#if canImport(Security)
    import Security
#endif

/// Random bytes, for nonces and keys.
public enum RandomBytes {
    /// The source of random bytes failed.
    public struct Unavailable: Error {
        /// The status that it returned.
        public let status: Int32
    }

    /// The variant of its code that this package was built with.
    public static var variant: String {
        #if canImport(Security)
            "Security"
        #else
            "portable"
        #endif
    }

    /// Overwrites bytes with zeros.
    public static func clear(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { clear_bytes($0.baseAddress, $0.count) }
    }

    /// Returns random bytes as an array.
    public static func array(count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        #if canImport(Security)
            let status = SecRandomCopyBytes(kSecRandomDefault, count, &bytes)
            guard status == errSecSuccess else { throw Unavailable(status: status) }
        #else
            for index in bytes.indices { bytes[index] = .random(in: .min ... .max) }
        #endif
        return bytes
    }

    /// Returns random bytes as data.
    public static func data(count: Int) throws -> Data {
        var data = Data(count: count)
        #if canImport(Security)
            let status = data.withUnsafeMutableBytes { (buffer: UnsafeMutableRawBufferPointer) -> Int32 in
                guard let start = buffer.baseAddress else { return errSecParam }
                return SecRandomCopyBytes(kSecRandomDefault, buffer.count, start)
            }
            guard status == errSecSuccess else { throw Unavailable(status: status) }
        #else
            for index in data.indices { data[index] = .random(in: .min ... .max) }
        #endif
        return data
    }
}
