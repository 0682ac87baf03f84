public import Foundation

/// The formats of data with certificates and keys.
public enum SecExternalFormat: UInt32, Sendable {
    /// When importing, any format; when exporting, the usual one.
    case formatUnknown
    /// What OpenSSL writes for a single object; for private keys, the form before PKCS #8.
    case formatOpenSSL
    /// Not supported.
    case formatSSH
    /// PKCS #1, for RSA.
    case formatBSAFE
    /// Not supported.
    case formatRawKey
    /// A private key in PKCS #8, encrypted with a passphrase.
    case formatWrappedPKCS8
    /// Not supported.
    case formatWrappedOpenSSL
    /// Not supported.
    case formatWrappedSSH
    /// Not supported.
    case formatWrappedLSH
    /// A certificate.
    case formatX509Cert
    /// Text with any number of certificates and keys.
    case formatPEMSequence
    /// Not supported.
    case formatPKCS7
    /// Certificates and private keys, encrypted with a passphrase.
    case formatPKCS12
    /// Not supported.
    case formatNetscapeCertSequence
    /// Not supported.
    case formatSSHv2
}

/// What imported data contains.
public enum SecExternalItemType: UInt32, Sendable {
    /// Anything.
    case itemTypeUnknown
    /// A private key.
    case itemTypePrivateKey
    /// A public key.
    case itemTypePublicKey
    /// Not supported.
    case itemTypeSessionKey
    /// A certificate.
    case itemTypeCertificate
    /// Several objects.
    case itemTypeAggregate
}

/// How data is exported.
public struct SecItemImportExportFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Creates flags with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// As text, also in a format that is not text.
    public static let pemArmour = SecItemImportExportFlags(rawValue: 1)
}

/// How keys are imported; these flags have no effect.
public struct SecKeyImportExportFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Creates flags with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Only one private key may be imported.
    public static let importOnlyOne = SecKeyImportExportFlags(rawValue: 1)
    /// The system asks the user for the passphrase.
    public static let securePassphrase = SecKeyImportExportFlags(rawValue: 2)
    /// Imported keys have no access list.
    public static let noAccessControl = SecKeyImportExportFlags(rawValue: 4)
}

/// The passphrase of data to import or export; all other fields have no effect.
public struct SecItemImportExportKeyParameters {
    /// The version of this structure: ``SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION``.
    public var version: UInt32 = 0
    /// How keys are imported.
    public var flags: SecKeyImportExportFlags = []
    /// The passphrase, a string or data.
    public var passphrase: Unmanaged<CFTypeRef>?
    /// The title of a window.
    public var alertTitle: Unmanaged<CFString>?
    /// The question of a window.
    public var alertPrompt: Unmanaged<CFString>?
    /// An access list.
    public var accessRef: Unmanaged<SecAccess>?
    /// The purposes of imported keys.
    public var keyUsage: Unmanaged<CFArray>?
    /// The attributes of imported keys.
    public var keyAttributes: Unmanaged<CFArray>?

    /// Creates parameters without a passphrase.
    public init() {}

    /// Creates parameters with these values.
    public init(
        version: UInt32,
        flags: SecKeyImportExportFlags,
        passphrase: Unmanaged<CFTypeRef>?,
        alertTitle: Unmanaged<CFString>?,
        alertPrompt: Unmanaged<CFString>?,
        accessRef: Unmanaged<SecAccess>?,
        keyUsage: Unmanaged<CFArray>?,
        keyAttributes: Unmanaged<CFArray>?
    ) {
        self.version = version
        self.flags = flags
        self.passphrase = passphrase
        self.alertTitle = alertTitle
        self.alertPrompt = alertPrompt
        self.accessRef = accessRef
        self.keyUsage = keyUsage
        self.keyAttributes = keyAttributes
    }
}

/// The version of ``SecItemImportExportKeyParameters``.
public let SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION: Int32 = 0
