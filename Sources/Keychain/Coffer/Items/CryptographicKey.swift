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

// What a key is and what it may be used for; nil if not set. The keychain stores these attributes but does not enforce
// them.
extension CryptographicKey {
    /// Whether the key is stored permanently: `kSecAttrIsPermanent`.
    public var isPermanent: Bool? {
        get { attributes[flag: .isPermanent] }
        set { attributes[flag: .isPermanent] = newValue }
    }

    /// Whether the key is private: `kSecAttrIsPrivate`.
    public var isPrivate: Bool? {
        get { attributes[flag: .isPrivate] }
        set { attributes[flag: .isPrivate] = newValue }
    }

    /// Whether the key may be changed: `kSecAttrIsModifiable`.
    public var isModifiable: Bool? {
        get { attributes[flag: .isModifiable] }
        set { attributes[flag: .isModifiable] = newValue }
    }

    /// Whether the key may be exported only in wrapped form: `kSecAttrIsSensitive`.
    public var isSensitive: Bool? {
        get { attributes[flag: .isSensitive] }
        set { attributes[flag: .isSensitive] = newValue }
    }

    /// Whether the key was always sensitive: `kSecAttrWasAlwaysSensitive`.
    public var wasAlwaysSensitive: Bool? {
        get { attributes[flag: .wasAlwaysSensitive] }
        set { attributes[flag: .wasAlwaysSensitive] = newValue }
    }

    /// Whether the key may be exported: `kSecAttrIsExtractable`.
    public var isExtractable: Bool? {
        get { attributes[flag: .isExtractable] }
        set { attributes[flag: .isExtractable] = newValue }
    }

    /// Whether the key was never extractable: `kSecAttrWasNeverExtractable`.
    public var wasNeverExtractable: Bool? {
        get { attributes[flag: .wasNeverExtractable] }
        set { attributes[flag: .wasNeverExtractable] = newValue }
    }

    /// Whether the key may encrypt: `kSecAttrCanEncrypt`.
    public var canEncrypt: Bool? {
        get { attributes[flag: .canEncrypt] }
        set { attributes[flag: .canEncrypt] = newValue }
    }

    /// Whether the key may decrypt: `kSecAttrCanDecrypt`.
    public var canDecrypt: Bool? {
        get { attributes[flag: .canDecrypt] }
        set { attributes[flag: .canDecrypt] = newValue }
    }

    /// Whether other keys may be derived from the key: `kSecAttrCanDerive`.
    public var canDerive: Bool? {
        get { attributes[flag: .canDerive] }
        set { attributes[flag: .canDerive] = newValue }
    }

    /// Whether the key may sign: `kSecAttrCanSign`.
    public var canSign: Bool? {
        get { attributes[flag: .canSign] }
        set { attributes[flag: .canSign] = newValue }
    }

    /// Whether the key may verify signatures: `kSecAttrCanVerify`.
    public var canVerify: Bool? {
        get { attributes[flag: .canVerify] }
        set { attributes[flag: .canVerify] = newValue }
    }

    /// Whether the key may make signatures that contain the message: `kSecAttrCanSignRecover`.
    public var canSignRecover: Bool? {
        get { attributes[flag: .canSignRecover] }
        set { attributes[flag: .canSignRecover] = newValue }
    }

    /// Whether the key may verify signatures that contain the message: `kSecAttrCanVerifyRecover`.
    public var canVerifyRecover: Bool? {
        get { attributes[flag: .canVerifyRecover] }
        set { attributes[flag: .canVerifyRecover] = newValue }
    }

    /// Whether the key may wrap other keys: `kSecAttrCanWrap`.
    public var canWrap: Bool? {
        get { attributes[flag: .canWrap] }
        set { attributes[flag: .canWrap] = newValue }
    }

    /// Whether the key may unwrap other keys: `kSecAttrCanUnwrap`.
    public var canUnwrap: Bool? {
        get { attributes[flag: .canUnwrap] }
        set { attributes[flag: .canUnwrap] = newValue }
    }
}
