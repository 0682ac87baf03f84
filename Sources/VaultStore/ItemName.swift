package import VaultFormat

/// An item, by the group and id that name it.
package typealias ItemName = VaultContents.Name
