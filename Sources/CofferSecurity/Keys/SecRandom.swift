/// Fills `count` bytes from `bytes` on with random ones of the system's generator; 0 is success.
///
/// ```swift
/// var key = [UInt8](repeating: 0, count: 32)
/// guard SecRandomCopyBytes(kSecRandomDefault, key.count, &key) == errSecSuccess else { return }
/// ```
///
/// `errSecParam`, and nothing is written, for a count that is negative or above 2 GiB, or for another source.
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
