package import CofferBasics

// Types without values that tell identifiers apart.
package enum SlotKind {}
package enum DeviceKind {}
package enum ItemKind {}
package enum SectionKind {}
package enum GrantKind {}
package enum PrimaryKeyKind {}
package enum GroupKind {}
package enum DataKeyKind {}
package enum WriterKind {}
package enum DictionaryKind {}

package typealias SlotID = Identifier<SlotKind>
package typealias DeviceID = Identifier<DeviceKind>
package typealias ItemID = Identifier<ItemKind>
package typealias SectionID = Identifier<SectionKind>
package typealias GrantID = Identifier<GrantKind>
/// The keyed digest of an item's primary key.
package typealias PrimaryKeyDigest = Identifier<PrimaryKeyKind>
package typealias GroupID = ShortIdentifier<GroupKind>
package typealias KeyHandle = ShortIdentifier<DataKeyKind>
/// A copy of a vault that writes.
package typealias WriterID = ShortIdentifier<WriterKind>
/// A dictionary for deflated metadata.
package typealias DictionaryID = ShortIdentifier<DictionaryKind>
