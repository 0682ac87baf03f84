internal import CofferBasics
internal import VaultFormat

/// The revision of an item: every change makes a new one, on any machine.
///
/// ```swift
/// let text = stored.revision.description  // "1-…"
/// ItemRevision(text) == stored.revision  // true
/// ```
public struct ItemRevision: Hashable, Sendable {
    /// The number of the revision, from 1; later revisions of an item have greater numbers.
    public let number: UInt64
    /// A value that distinguishes revisions of the same number that were made on two machines.
    let salt: UInt64

    init(_ revision: Revision) {
        number = revision.number
        salt = revision.salt
    }
}

extension ItemRevision: LosslessStringConvertible {
    /// The number, and digits that distinguish revisions with the same number.
    public var description: String { "\(number)-\(salt.hexDigits)" }

    /// Creates the revision with this description, or nil if the description is invalid.
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
