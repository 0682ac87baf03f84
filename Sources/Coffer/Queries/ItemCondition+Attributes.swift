internal import CofferBasics

extension ItemCondition where Item: KeychainPassword {
    /// Whose password it is.
    public static func account(_ value: AttributeText) -> Self { Self(.account, value.value) }

    /// What kind of item people are told it is.
    public static func itemDescription(_ value: AttributeText) -> Self { Self(.itemDescription, value.value) }

    /// What its user noted.
    public static func comment(_ value: AttributeText) -> Self { Self(.comment, value.value) }

    /// The program that made it.
    public static func creator(_ value: Int) -> Self { Self(.creator, .integer(Int64(value))) }

    /// What the program takes it for.
    public static func type(_ value: Int) -> Self { Self(.type, .integer(Int64(value))) }

    /// Whether it is not shown to people; an item of which nobody said it fulfils neither.
    public static func isInvisible(_ value: Bool) -> Self { Self(.isInvisible, .bool(value)) }

    /// Whether the password is asked for each time; an item of which nobody said it fulfils neither.
    public static func isNegative(_ value: Bool) -> Self { Self(.isNegative, .bool(value)) }
}

extension ItemCondition<GenericPassword> {
    /// What the password is for.
    public static func service(_ value: AttributeText) -> Self { Self(.service, value.value) }

    /// What the program keeps with it.
    public static func generic(_ value: AttributeText) -> Self { Self(.generic, value.value) }
}

extension ItemCondition<InternetPassword> {
    /// The server.
    public static func server(_ value: AttributeText) -> Self { Self(.server, value.value) }

    /// A host that the server is, or is a subdomain of.
    public static func hostOrSubdomain(of host: String) -> Self { Self(byName: Query.hostKey, .string(host)) }

    /// The part of the server that the password is for.
    public static func securityDomain(_ value: AttributeText) -> Self { Self(.securityDomain, value.value) }

    /// How one speaks to the server.
    public static func `protocol`(_ value: InternetProtocol) -> Self { Self(.protocol, value.value) }

    /// How the server is shown the password.
    public static func authenticationType(_ value: AuthenticationType) -> Self {
        Self(.authenticationType, value.rawValue.value)
    }

    /// The port.
    public static func port(_ value: Int) -> Self { Self(.port, .integer(Int64(value))) }

    /// The path on the server.
    public static func path(_ value: AttributeText) -> Self { Self(.path, value.value) }
}

extension ItemCondition<Certificate> {
    /// Which kind of certificate it is.
    public static func certificateType(_ value: Int) -> Self { Self(.certificateType, .integer(Int64(value))) }

    /// Who issued it.
    public static func issuer(_ value: [UInt8]) -> Self { Self(.issuer, .data(value)) }

    /// The number that the issuer gave it.
    public static func serialNumber(_ value: [UInt8]) -> Self { Self(.serialNumber, .data(value)) }

    /// Whose it is.
    public static func subject(_ value: [UInt8]) -> Self { Self(.subject, .data(value)) }

    /// Which of the keys of its subject it is for.
    public static func subjectKeyID(_ value: [UInt8]) -> Self { Self(.subjectKeyID, .data(value)) }

    /// The digest of its public key.
    public static func publicKeyHash(_ value: [UInt8]) -> Self { Self(.publicKeyHash, .data(value)) }
}

extension ItemCondition<CryptographicKey> {
    /// Which half of a pair it is.
    public static func keyClass(_ value: CryptographicKey.KeyClass) -> Self {
        Self(.keyClass, .integer(Int64(value.rawValue)))
    }

    /// Which kind of key it is.
    public static func keyType(_ value: CryptographicKey.KeyType) -> Self {
        Self(.type, .integer(Int64(value.rawValue)))
    }

    /// What finds the key.
    public static func applicationLabel(_ value: [UInt8]) -> Self { Self(.applicationLabel, .data(value)) }

    /// What a program finds the key by.
    public static func applicationTag(_ value: AttributeText) -> Self { Self(.applicationTag, value.value) }

    /// Who made the key.
    public static func creator(_ value: Int) -> Self { Self(.creator, .integer(Int64(value))) }

    /// How many bits the key has.
    public static func keySizeInBits(_ value: Int) -> Self { Self(.keySizeInBits, .integer(Int64(value))) }

    /// How many of its bits count.
    public static func effectiveKeySize(_ value: Int) -> Self { Self(.effectiveKeySize, .integer(Int64(value))) }
}
