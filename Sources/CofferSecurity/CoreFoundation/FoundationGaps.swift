public import Foundation

// What Foundation does on Apple systems, where Objective-C does it, and not on Linux.
#if !canImport(ObjectiveC)
    extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
        /// The text as a key: equal to that of the same text as `String`.
        ///
        /// So a dictionary with keys of any kind is found by `kSecAttrAccount`.
        public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
    }

    extension NSMutableDictionary {
        /// Puts `value` into the dictionary; nil removes what is there.
        ///
        /// - Parameters:
        ///   - value: The value, or nil.
        ///   - key: Its key.
        public func setValue(_ value: Any?, forKey key: String) {
            if let value { setObject(value, forKey: key as NSString) } else { removeObject(forKey: key as NSString) }
        }
    }
#endif
