/// Writes `count` random bytes from the system's generator to `bytes`; returns 0 on success.
///
/// ```swift
/// var key = [UInt8](repeating: 0, count: 32)
/// guard SecRandomCopyBytes(kSecRandomDefault, key.count, &key) == errSecSuccess else { return }
/// ```
///
/// Returns `errSecParam` and writes nothing if `count` is negative or above 2 GiB, or if `rnd` is another source.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    guard rnd == nil, 0...Int(Int32.max) ~= count else { return errSecParam }
    var generator = SystemRandomNumberGenerator()
    var offset = 0
    while offset < count {
        let length = min(MemoryLayout<UInt64>.size, count - offset)
        withUnsafeBytes(of: generator.next()) { word in
            UnsafeMutableRawBufferPointer(start: bytes + offset, count: length)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: word[..<length]))
        }
        offset += length
    }
    return errSecSuccess
}

/// A source of random bytes; there is only one, and nil stands for it.
public typealias SecRandomRef = OpaquePointer

/// The default source of random bytes.
@safe public nonisolated(unsafe) let kSecRandomDefault: SecRandomRef? = nil
