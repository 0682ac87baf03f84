internal import VaultFormat

/// Which state of an item it is: each change makes another one, on whatever machine.
///
/// ```swift
/// let text = stored.revision.description  // "1-…"
/// ItemRevision(text) == stored.revision  // true
/// ```
public struct ItemRevision: Hashable, Sendable {
    /// 1 or more; a later state of an item has a greater number.
    public let number: UInt64
    /// What tells states of the same number apart that two machines made.
    let salt: UInt64

    init(_ revision: Revision) {
        number = revision.number
        salt = revision.salt
    }
}

extension ItemRevision: LosslessStringConvertible {
    /// The number, and what tells it from others with the same number.
    public var description: String {
        let digits = String(salt, radix: 16)
        return "\(number)-\(String(repeating: "0", count: 16 - digits.utf8.count))\(digits)"
    }

    /// The revision that is described by `description`, or nil if none is.
    public init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt64(parts[0]), let salt = UInt64(parts[1], radix: 16) else {
            return nil
        }
        self.number = number
        self.salt = salt
        guard self.description.utf8.elementsEqual(description.utf8) else { return nil }
    }
}
