internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

/// A change that a merge left out.
///
/// ```swift
/// for change in summary.leftOut { print(change.reason, change.kind, change.group, change.service ?? "") }
/// ```
public struct LeftOutChange: Equatable, Sendable {
    /// Why a change was left out.
    public enum Reason: String, Sendable {
        /// The copy that has it does not know that somebody's access to its group was revoked, so they could have made
        /// it.
        case revocation
        /// It is so old that the copy without it cannot tell whether the item was deleted there.
        case age
    }

    /// What the change did to an item.
    public enum Kind: String, Sendable {
        /// The item exists only in the copy.
        case added
        /// The item has another content in the copy.
        case changed
        /// The item does not exist in the copy.
        case deleted
        /// The item is the same; only past revisions of it were left out.
        case past
    }

    /// Why the change was left out.
    public let reason: Reason
    /// What the change did.
    public let kind: Kind
    /// The name of the group.
    public let group: String
    /// The service, server or label of the item; nil if it has none, or it cannot be read.
    public let service: String?
    /// The account of the item; nil if it has none, or it cannot be read.
    public let account: String?
    /// Whether the vault itself has the change, and not the other copy.
    public let isOwn: Bool

    init(_ change: OmittedChange) {
        reason = change.reason == .age ? .age : .revocation
        kind =
            switch change.kind {
            case .added: .added
            case .changed: .changed
            case .deleted: .deleted
            case .past: .past
            }
        group = String(decoding: change.group, as: UTF8.self)
        func text(_ name: AttributeName) -> String? {
            guard let value = change.attributes?[name.rawValue] else { return nil }
            return value.string ?? value.data.map { String(decoding: $0, as: UTF8.self) }
        }
        (service, account) = (text(.service) ?? text(.server) ?? text(.label), text(.account))
        isOwn = change.isOwn
    }
}
