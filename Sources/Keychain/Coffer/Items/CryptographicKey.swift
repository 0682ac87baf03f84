/// A cryptographic key, `kSecClassKey`, whose secret is the key itself.
///
/// Two keys are different items if they differ in class, application label, application tag, creator, type, sizes,
/// dates, group or whether they are synchronizable.
///
/// ```swift
/// var key = CryptographicKey(.symmetric, applicationTag: "com.example.files")
/// key.keySizeInBits = 256
/// try keychain.add(key, secret: [UInt8](repeating: 7, count: 32))
/// ```
public struct CryptographicKey: KeychainItem {
    /// The class of these items.
    public static var itemClass: KeychainClass { .key }

    /// The attributes, by Apple's names.
    public var attributes: AttributeValues

    /// Creates an item with these attributes.
    public init(attributes: AttributeValues) { self.attributes = attributes }

    /// Creates a key of this class, with a tag by which a program finds it.
    public init(_ keyClass: KeyClass = .public, applicationTag: String = "") {
        self.init(attributes: AttributeValues())
        self.keyClass = keyClass
        self.applicationTag = applicationTag
    }

    /// Whether the key is public, private or symmetric: `kSecAttrKeyClass`; public if not set.
    public var keyClass: KeyClass {
        get { KeyClass(rawValue: attributes[keyNumber: .keyClass]) }
        set { attributes[keyNumber: .keyClass] = newValue.rawValue }
    }

    /// The type of the key: `kSecAttrKeyType`; nil if not set.
    public var keyType: KeyType? {
        get {
            let number = attributes[keyNumber: .type]
            return number == 0 ? nil : KeyType(rawValue: number)
        }
        set { attributes[keyNumber: .type] = newValue?.rawValue ?? 0 }
    }

    /// A label by which the key is found, usually a digest of the public key: `kSecAttrApplicationLabel`.
    public var applicationLabel: [UInt8] {
        get { attributes[keyData: .applicationLabel] }
        set { attributes[keyData: .applicationLabel] = newValue }
    }

    /// A tag by which a program finds the key: `kSecAttrApplicationTag`.
    public var applicationTag: String {
        get { attributes[keyText: .applicationTag] }
        set { attributes[keyText: .applicationTag] = newValue }
    }

    /// The bytes of the tag, which need not be UTF-8.
    public var applicationTagBytes: [UInt8] {
        get { attributes[keyTextBytes: .applicationTag] }
        set { attributes[keyTextBytes: .applicationTag] = newValue }
    }

    /// The creator of the key: `kSecAttrKeyCreator`.
    public var creator: Int {
        get { attributes[keyNumber: .creator] }
        set { attributes[keyNumber: .creator] = newValue }
    }

    /// The number of bits in the key: `kSecAttrKeySizeInBits`.
    public var keySizeInBits: Int {
        get { attributes[keyNumber: .keySizeInBits] }
        set { attributes[keyNumber: .keySizeInBits] = newValue }
    }

    /// The number of effective bits in the key: `kSecAttrEffectiveKeySize`.
    public var effectiveKeySize: Int {
        get { attributes[keyNumber: .effectiveKeySize] }
        set { attributes[keyNumber: .effectiveKeySize] = newValue }
    }

    /// The date from which the key is used: `kSecAttrStartDate`.
    public var startDate: KeychainDate {
        get { attributes[keyDate: .startDate] }
        set { attributes[keyDate: .startDate] = newValue }
    }

    /// The date until which the key is used: `kSecAttrEndDate`.
    public var endDate: KeychainDate {
        get { attributes[keyDate: .endDate] }
        set { attributes[keyDate: .endDate] = newValue }
    }
}

extension CryptographicKey {
    /// Whether a key is public, private or symmetric: `kSecAttrKeyClass`.
    public struct KeyClass: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// Creates the class with this number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `kSecAttrKeyClassPublic`.
        public static let `public` = KeyClass(rawValue: 0)
        /// `kSecAttrKeyClassPrivate`.
        public static let `private` = KeyClass(rawValue: 1)
        /// `kSecAttrKeyClassSymmetric`.
        public static let symmetric = KeyClass(rawValue: 2)
    }

    /// The type of a key: `kSecAttrKeyType`.
    public struct KeyType: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// Creates the type with this number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `kSecAttrKeyTypeRSA`.
        public static let rsa = KeyType(rawValue: 42)
        /// `kSecAttrKeyTypeECSECPrimeRandom`.
        public static let ellipticCurve = KeyType(rawValue: 73)
        /// `kSecAttrKeyTypeEd25519`.
        public static let ed25519 = KeyType(rawValue: 105)
        /// `kSecAttrKeyTypeX25519`.
        public static let x25519 = KeyType(rawValue: 106)
    }
}
