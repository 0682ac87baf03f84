public import Foundation

/// Deleted at the merge.
public final class CFAllocator: NSObject, @unchecked Sendable {}

protocol HasCFTypeID { var cfTypeID: CFTypeID { get } }

enum CFTypeNumber {
    static let secKey: CFTypeID = 101
    static let secCertificate: CFTypeID = 102
    static let secIdentity: CFTypeID = 103
    static let secAccessControl: CFTypeID = 104
    static let secTrust: CFTypeID = 105
    static let secPolicy: CFTypeID = 106
}

/// Deleted at the merge.
public let errSecSuccess: OSStatus = 0
/// Deleted at the merge.
public let errSecUnimplemented: OSStatus = -4
/// Deleted at the merge.
public let errSecParam: OSStatus = -50
/// Deleted at the merge.
public let errSecInvalidItemRef: OSStatus = -25304
/// Deleted at the merge.
public let errSecKeyIsSensitive: OSStatus = -25258

/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"

/// Deleted at the merge.
public let errSecItemNotFound: OSStatus = -25300
/// Deleted at the merge.
public let errSecDuplicateItem: OSStatus = -25299
/// Deleted at the merge.
public let noErr: OSStatus = 0

/// Deleted at the merge.
public nonisolated(unsafe) let kSecClass: CFString = "class"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// Deleted at the merge.
public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// Deleted at the merge.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// Deleted at the merge.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// Deleted at the merge.
public let kCFAllocatorDefault: CFAllocator! = nil

/// Deleted at the merge.
public func CFEqual(_ one: CFTypeRef?, _ other: CFTypeRef?) -> Bool {
    (one as? NSObject)?.isEqual(other) ?? false
}

/// Deleted at the merge.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// Deleted at the merge.
public func CFErrorGetDomain(_ error: CFError) -> CFErrorDomain { error.domain as NSString }

/// Deleted at the merge.
public func CFGetTypeID(_ object: CFTypeRef) -> CFTypeID { (object as? any HasCFTypeID)?.cfTypeID ?? 0 }
