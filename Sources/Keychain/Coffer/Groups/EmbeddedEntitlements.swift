/// The entitlements files that a build has embedded in a program, in its section `coffer_entitlements`.
///
/// Each is a word of eight bytes with its kind, one with its number of bytes, and its bytes, with zeros up to a multiple
/// of eight. The linker joins those of all targets.
enum EmbeddedEntitlements {
    /// What the target is that has the file: a program or a test target.
    private enum Kind: UInt64 {
        case program = 1
        case tests = 2
    }

    /// Returns the content of the file that applies to the program, or nil if `section` has none.
    ///
    /// - Parameters:
    ///   - section: The words of the section.
    ///   - executable: The path of the program. A test bundle also contains the programs that its tests use, which do not
    ///     count then.
    /// - Returns: The content.
    /// - Throws: `differentEmbedded` if several targets have different files.
    static func file(in section: [UInt64], of executable: String) throws(EntitlementsError) -> [UInt8]? {
        let isTestBundle = executable.hasSuffix(".xctest") || executable.hasSuffix("-test-runner")
        var rest = section[...]
        var found: [UInt8]?
        while let kind = rest.popFirst() {
            guard let kind = Kind(rawValue: kind), let byteCount = rest.popFirst(), byteCount <= rest.count * 8 else {
                throw EntitlementsError(.unreadable("the section coffer_entitlements is invalid"))
            }
            let words = rest.prefix((Int(byteCount) + 7) / 8)
            rest = rest.dropFirst(words.count)
            guard (kind == .tests) == isTestBundle else { continue }
            let file = Array(words.flatMap { withUnsafeBytes(of: $0, Array.init) }.prefix(Int(byteCount)))
            guard found == nil || found == file else { throw EntitlementsError(.differentEmbedded) }
            found = file
        }
        return found
    }
}
