internal import Coffer

// Passwords of both classes.
extension KeychainPassword {
    /// Adds the item.
    func add(to keychain: Keychain, secret: Span<UInt8>) throws -> FoundItem {
        FoundItem(try keychain.add(self, secret: secret))
    }

    /// Adds the item, or changes the one with the same primary key.
    func save(in transaction: inout KeychainTransaction, secret: Span<UInt8>) throws -> FoundItem {
        FoundItem(try transaction.save(self, secret: secret))
    }
}

extension FoundItem {
    /// The item as a password with these attributes.
    func password(_ attributes: AttributeValues) -> any KeychainPassword {
        itemClass == .internetPassword
            ? InternetPassword(attributes: attributes) : GenericPassword(attributes: attributes)
    }

    /// A password with the primary key and the group of this item, and whatever else `new` has.
    func password(with new: any KeychainPassword) -> any KeychainPassword {
        var values = AttributeValues()
        for name in [AttributeName.label, .itemDescription, .comment, .accessibility, .accessControl] {
            values[name] = new.attributes[name]
        }
        for name in itemClass.primaryKey + KeychainClass.sharedPrimaryKey + [AttributeName.accessGroup.rawValue] {
            values[name] = attributes[name]
        }
        return password(values)
    }
}
