import Foundation

#if canImport(Security)
    import Security

    /// What the keychain has answered.
    public struct KeychainStatus: RawRepresentable, LocalizedError, Hashable, Sendable {
        /// The number of the answer.
        public let rawValue: OSStatus

        /// The answer of this number.
        public init(rawValue: OSStatus) {
            self.rawValue = rawValue
        }

        /// What the number means.
        public var errorDescription: String? {
            if let message = SecCopyErrorMessageString(rawValue, nil) { return message as String }
            return NSError(domain: NSOSStatusErrorDomain, code: Int(rawValue)).localizedDescription
        }

        /// There is such an item already.
        public static let duplicateItem = KeychainStatus(rawValue: errSecDuplicateItem)
    }
#else
    /// What a keychain would answer.
    public struct KeychainStatus: RawRepresentable, LocalizedError, Hashable, Sendable {
        /// The number of the answer.
        public let rawValue: Int32

        /// The answer of this number.
        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// What the number means.
        public var errorDescription: String? { "status \(rawValue)" }

        /// There is such an item already.
        public static let duplicateItem = KeychainStatus(rawValue: -25299)
    }
#endif
