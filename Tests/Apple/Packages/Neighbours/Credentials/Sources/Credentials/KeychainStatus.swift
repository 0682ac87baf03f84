import Foundation

#if canImport(Security)
    import Security

    /// The status of a keychain call.
    public struct KeychainStatus: RawRepresentable, LocalizedError, Hashable, Sendable {
        /// The number of the status.
        public let rawValue: OSStatus

        /// Creates a status from its number.
        public init(rawValue: OSStatus) {
            self.rawValue = rawValue
        }

        /// The message for the number.
        public var errorDescription: String? {
            if let message = SecCopyErrorMessageString(rawValue, nil) { return message as String }
            return NSError(domain: NSOSStatusErrorDomain, code: Int(rawValue)).localizedDescription
        }

        /// The item already exists.
        public static let duplicateItem = KeychainStatus(rawValue: errSecDuplicateItem)
    }
#else
    /// The status that a keychain call would return.
    public struct KeychainStatus: RawRepresentable, LocalizedError, Hashable, Sendable {
        /// The number of the status.
        public let rawValue: Int32

        /// Creates a status from its number.
        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// The message for the number.
        public var errorDescription: String? { "status \(rawValue)" }

        /// The item already exists.
        public static let duplicateItem = KeychainStatus(rawValue: -25299)
    }
#endif
