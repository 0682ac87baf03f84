/// A key: `kSecClassKey`, whose data are the key itself.
///
/// Class, application label, application tag, creator, type, sizes, dates, group and whether it is synchronizable tell keys
/// apart.
///
/// ```swift
/// var key = CryptographicKey(.symmetric, applicationTag: "com.example.files")
/// key.keySizeInBits = 256
/// try keychain.add(key, secret: [UInt8](repeating: 7, count: 32))
/// ```
public struct CryptographicKey: KeychainItem {
    /// The class of such items.
    public static var itemClass: KeychainClass { .key }

    /// The attributes by Apple's names.
    public var attributes: AttributeValues

    /// An item with these attributes.
    public init(attributes: AttributeValues) { self.attributes = attributes }

    /// A key of this class, which a program finds by its tag.
    public init(_ keyClass: KeyClass = .public, applicationTag: AttributeText = "") {
        self.init(attributes: AttributeValues())
        self.keyClass = keyClass
        self.applicationTag = applicationTag
    }

    /// Whether a key is public, private or symmetric; a key of which nobody said it counts as public.
    public var keyClass: KeyClass {
        get { KeyClass(rawValue: attributes[keyNumber: .keyClass]) }
        set { attributes[keyNumber: .keyClass] = newValue.rawValue }
    }

    /// Which kind of key it is: `kSecAttrKeyType`; nil if nobody said.
    public var keyType: KeyType? {
        get {
            let number = attributes[keyNumber: .type]
            return number == 0 ? nil : KeyType(rawValue: number)
        }
        set { attributes[keyNumber: .type] = newValue?.rawValue ?? 0 }
    }

    /// What finds the key, a digest of the public key for most: `kSecAttrApplicationLabel`.
    public var applicationLabel: [UInt8] {
        get { attributes[keyData: .applicationLabel] }
        set { attributes[keyData: .applicationLabel] = newValue }
    }

    /// What a program finds the key by: `kSecAttrApplicationTag`.
    public var applicationTag: AttributeText {
        get { attributes[keyText: .applicationTag] }
        set { attributes[keyText: .applicationTag] = newValue }
    }

    /// Who made the key: `kSecAttrKeyCreator`.
    public var creator: Int {
        get { attributes[keyNumber: .creator] }
        set { attributes[keyNumber: .creator] = newValue }
    }

    /// How many bits the key has: `kSecAttrKeySizeInBits`.
    public var keySizeInBits: Int {
        get { attributes[keyNumber: .keySizeInBits] }
        set { attributes[keyNumber: .keySizeInBits] = newValue }
    }

    /// How many of its bits count: `kSecAttrEffectiveKeySize`.
    public var effectiveKeySize: Int {
        get { attributes[keyNumber: .effectiveKeySize] }
        set { attributes[keyNumber: .effectiveKeySize] = newValue }
    }

    /// From when on the key is used: `kSecAttrStartDate`.
    public var startDate: KeychainDate {
        get { attributes[keyDate: .startDate] }
        set { attributes[keyDate: .startDate] = newValue }
    }

    /// Until when the key is used: `kSecAttrEndDate`.
    public var endDate: KeychainDate {
        get { attributes[keyDate: .endDate] }
        set { attributes[keyDate: .endDate] = newValue }
    }
}

extension CryptographicKey {
    /// Which half of a pair a key is: `kSecAttrKeyClass`.
    public struct KeyClass: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// The class with this number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `kSecAttrKeyClassPublic`.
        public static let `public` = KeyClass(rawValue: 0)
        /// `kSecAttrKeyClassPrivate`.
        public static let `private` = KeyClass(rawValue: 1)
        /// `kSecAttrKeyClassSymmetric`.
        public static let symmetric = KeyClass(rawValue: 2)
    }

    /// Which kind of key it is: `kSecAttrKeyType`.
    public struct KeyType: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// The type with this number.
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
