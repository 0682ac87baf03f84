public import Foundation

// What Objective-C adds to Foundation on Apple systems, and Linux lacks.
#if !canImport(ObjectiveC)
    extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
        /// The string as a dictionary key, equal to the same text as a `String`.
        ///
        /// So `kSecAttrAccount` finds its value in a dictionary with keys of any type.
        public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
    }

    extension NSMutableDictionary {
        /// Sets the value for `key`; nil removes it.
        ///
        /// - Parameters:
        ///   - value: The value, or nil.
        ///   - key: Its key.
        public func setValue(_ value: Any?, forKey key: String) {
            if let value { setObject(value, forKey: key as NSString) } else { removeObject(forKey: key as NSString) }
        }
    }

    extension UserDefaults {
        /// Returns the value for `key`, or nil.
        public func value(forKey key: String) -> Any? { object(forKey: key) }

        /// Sets the value for `key`; nil removes it.
        public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
    }
#endif
