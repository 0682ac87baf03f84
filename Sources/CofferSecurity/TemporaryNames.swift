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
