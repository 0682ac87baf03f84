internal import CofferBasics

extension ItemCondition where Item: KeychainPassword {
    /// The account that the password belongs to.
    public static func account(_ value: String) -> Self { Self(.account, .string(value)) }

    /// The bytes of the account, which need not be UTF-8.
    public static func accountBytes(_ value: [UInt8]) -> Self { Self(.account, ItemValue(textBytes: value)) }

    /// The kind of item, as shown to people.
    public static func itemDescription(_ value: String) -> Self { Self(.itemDescription, .string(value)) }

    /// The comment by the user.
    public static func comment(_ value: String) -> Self { Self(.comment, .string(value)) }

    /// The program that created the item.
    public static func creator(_ value: Int) -> Self { Self(.creator, .integer(Int64(value))) }

    /// The program's type for the item.
    public static func type(_ value: Int) -> Self { Self(.type, .integer(Int64(value))) }

    /// Whether the item is hidden from people; an item without this attribute matches neither value.
    public static func isInvisible(_ value: Bool) -> Self { Self(.isInvisible, .bool(value)) }

    /// Whether the password is asked for each time; an item without this attribute matches neither value.
    public static func isNegative(_ value: Bool) -> Self { Self(.isNegative, .bool(value)) }
}

extension ItemCondition<GenericPassword> {
    /// What the password is for.
    public static func service(_ value: String) -> Self { Self(.service, .string(value)) }

    /// The bytes of the service, which need not be UTF-8.
    public static func serviceBytes(_ value: [UInt8]) -> Self { Self(.service, ItemValue(textBytes: value)) }

    /// The program's own data, as text.
    public static func generic(_ value: String) -> Self { Self(.generic, .string(value)) }

    /// The program's own data, as bytes.
    public static func genericBytes(_ value: [UInt8]) -> Self { Self(.generic, ItemValue(textBytes: value)) }
}

extension ItemCondition<InternetPassword> {
    /// The name or address of the server.
    public static func server(_ value: String) -> Self { Self(.server, .string(value)) }

    /// The bytes of the server, which need not be UTF-8.
    public static func serverBytes(_ value: [UInt8]) -> Self { Self(.server, ItemValue(textBytes: value)) }

    /// A host that the server equals or is a subdomain of.
    public static func hostOrSubdomain(of host: String) -> Self { .attribute(Query.hostKey, .string(host)) }

    /// The part of the server that the password is for.
    public static func securityDomain(_ value: String) -> Self { Self(.securityDomain, .string(value)) }

    /// The bytes of the security domain, which need not be UTF-8.
    public static func securityDomainBytes(_ value: [UInt8]) -> Self {
        Self(.securityDomain, ItemValue(textBytes: value))
    }

    /// The protocol of the server.
    public static func `protocol`(_ value: InternetProtocol) -> Self { Self(.protocol, value.value) }

    /// How a client authenticates to the server.
    public static func authenticationType(_ value: AuthenticationType) -> Self {
        Self(.authenticationType, .string(value.rawValue))
    }

    /// The port.
    public static func port(_ value: Int) -> Self { Self(.port, .integer(Int64(value))) }

    /// The path on the server.
    public static func path(_ value: String) -> Self { Self(.path, .string(value)) }

    /// The bytes of the path, which need not be UTF-8.
    public static func pathBytes(_ value: [UInt8]) -> Self { Self(.path, ItemValue(textBytes: value)) }
}

extension ItemCondition<Certificate> {
    /// The type of the certificate.
    public static func certificateType(_ value: Int) -> Self { Self(.certificateType, .integer(Int64(value))) }

    /// The issuer.
    public static func issuer(_ value: [UInt8]) -> Self { Self(.issuer, .data(value)) }

    /// The serial number.
    public static func serialNumber(_ value: [UInt8]) -> Self { Self(.serialNumber, .data(value)) }

    /// The subject.
    public static func subject(_ value: [UInt8]) -> Self { Self(.subject, .data(value)) }

    /// The identifier of the subject's key.
    public static func subjectKeyID(_ value: [UInt8]) -> Self { Self(.subjectKeyID, .data(value)) }

    /// The digest of the public key.
    public static func publicKeyHash(_ value: [UInt8]) -> Self { Self(.publicKeyHash, .data(value)) }
}

extension ItemCondition<CryptographicKey> {
    /// Whether the key is public, private or symmetric.
    public static func keyClass(_ value: CryptographicKey.KeyClass) -> Self {
        Self(.keyClass, .integer(Int64(value.rawValue)))
    }

    /// The type of the key.
    public static func keyType(_ value: CryptographicKey.KeyType) -> Self {
        Self(.type, .integer(Int64(value.rawValue)))
    }

    /// The label by which the key is found.
    public static func applicationLabel(_ value: [UInt8]) -> Self { Self(.applicationLabel, .data(value)) }

    /// The tag by which a program finds the key.
    public static func applicationTag(_ value: String) -> Self { Self(.applicationTag, .string(value)) }

    /// The bytes of the tag, which need not be UTF-8.
    public static func applicationTagBytes(_ value: [UInt8]) -> Self {
        Self(.applicationTag, ItemValue(textBytes: value))
    }

    /// The creator of the key.
    public static func creator(_ value: Int) -> Self { Self(.creator, .integer(Int64(value))) }

    /// The number of bits in the key.
    public static func keySizeInBits(_ value: Int) -> Self { Self(.keySizeInBits, .integer(Int64(value))) }

    /// The number of effective bits in the key.
    public static func effectiveKeySize(_ value: Int) -> Self { Self(.effectiveKeySize, .integer(Int64(value))) }
}
