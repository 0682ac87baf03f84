/// Where random bytes come from.
package protocol RandomSource: Sendable {
    /// Overwrites `bytes` with random ones.
    func fill(_ bytes: inout MutableSpan<UInt8>)
}
