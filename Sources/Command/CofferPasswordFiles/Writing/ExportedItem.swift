package import CofferBasics

/// An item of a keychain with everything that a vault has of it, as Coffer's own export contains it: `Spec/export.md`.
package struct ExportedItem {
    /// The current revision; of a deleted item the last one.
    package var current: Revision
    /// The former revisions, oldest first.
    package var history: [Revision]
    /// The changes that were made in other copies of the vault and lost against the current revision, the greatest first.
    package var conflicts: [Revision]
    /// When the item was deleted; nil if it exists, and a deleted item has no conflicts.
    package var deleted: ExportedDate?

    /// An item with a current revision and others.
    package init(
        _ current: Revision,
        history: [Revision] = [],
        conflicts: [Revision] = [],
        deleted: ExportedDate? = nil
    ) {
        (self.current, self.history, self.conflicts, self.deleted) = (current, history, conflicts, deleted)
    }

    /// One state of an item.
    package struct Revision {
        /// Apple's name of the class: `genp`, `inet`, `cert` or `keys`.
        package var itemClass: String
        /// The access group.
        package var group: String
        /// Apple's name of the protection class, such as `ak`.
        package var protection: String
        /// The conditions for reading the item; nil if it has none.
        package var accessControl: AccessControl?
        /// Whether the item may be on other devices: `sync`.
        package var isSynchronizable = false
        /// When the item was created: `cdat`.
        package var created: ExportedDate?
        /// When the item was changed: `mdat`.
        package var modified: ExportedDate?
        /// When the revision was written.
        package var written: ExportedDate?
        /// The attributes by Apple's names, without those that the other members have.
        package var attributes: [(name: String, value: Value)] = []
        /// The data of the item; nil if it has none, which differs from empty data.
        package var secret: HeldSecret?

        /// A revision without attributes and data.
        package init(itemClass: String, group: String, protection: String) {
            (self.itemClass, self.group, self.protection) = (itemClass, group, protection)
        }
    }

    /// The value of an attribute.
    package enum Value {
        /// Text in UTF-8.
        case text(HeldSecret)
        case bytes(HeldSecret)
        /// A whole number.
        case integer(Int128)
        /// Any other number.
        case real(Double)
        case bool(Bool)
        case date(ExportedDate)
    }

    /// The conditions for reading an item.
    package struct AccessControl: Equatable {
        /// The bits of `SecAccessControlCreateFlags`.
        package var flags: UInt32
        /// A hash of the biometry that was enrolled; nil if it does not matter.
        package var enrolled: [UInt8]?

        /// Conditions, and the hash of the biometry that they are bound to.
        package init(flags: UInt32, enrolled: [UInt8]? = nil) {
            (self.flags, self.enrolled) = (flags, enrolled)
        }
    }

    /// The attributes that cannot be among the attributes, since other members of a revision have them.
    package static let namesOfMembers: Set<String> = ["accc", "agrp", "cdat", "mdat", "pdmn", "sync", "v_Data"]
}
