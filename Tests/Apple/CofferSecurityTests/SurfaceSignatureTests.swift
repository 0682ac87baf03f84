import Foundation
import Security
import Testing

private typealias Status = OSStatus
private typealias ErrorPointer = UnsafeMutablePointer<Unmanaged<CFError>?>?
private typealias Pointer<Pointee> = UnsafeMutablePointer<Pointee>

/// Whether a function has exactly this type.
///
/// Assigning it to a constant would not show this: `(Any) -> Int` converts to `(Int) -> Int?`.
private func hasType<each Argument, Answer>(_ function: (repeat each Argument) -> Answer, _ type: Any.Type) -> Bool {
    ((repeat each Argument) -> Answer).self == type
}

@Suite("Types of functions") struct SurfaceSignatureTests {
    @Test func `a call can be assigned to a constant`() {
        let add: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemAdd
        let find: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemCopyMatching
        let update: (CFDictionary, CFDictionary) -> OSStatus = SecItemUpdate
        let delete: (CFDictionary) -> OSStatus = SecItemDelete
        #expect(add([:] as CFDictionary, nil) == errSecParam)
        #expect(find([:] as CFDictionary, nil) == errSecParam)
        #expect(update([:] as CFDictionary, [:] as CFDictionary) == errSecParam)
        #expect(delete([:] as CFDictionary) == errSecParam)
    }

    @Test func `keychain calls`() {
        #expect(hasType(SecItemAdd, ((CFDictionary, Pointer<CFTypeRef?>?) -> Status).self))
        #expect(hasType(SecItemCopyMatching, ((CFDictionary, Pointer<CFTypeRef?>?) -> Status).self))
        #expect(hasType(SecItemUpdate, ((CFDictionary, CFDictionary) -> Status).self))
        #expect(hasType(SecItemDelete, ((CFDictionary) -> Status).self))
    }

    @Test func `access control`() {
        #expect(
            hasType(
                SecAccessControlCreateWithFlags,
                ((CFAllocator?, CFTypeRef, SecAccessControlCreateFlags, ErrorPointer) -> SecAccessControl?).self
            )
        )
    }

    @Test func `creating and reading keys`() {
        #expect(hasType(SecKeyCreateRandomKey, ((CFDictionary, ErrorPointer) -> SecKey?).self))
        #expect(hasType(SecKeyCreateWithData, ((CFData, CFDictionary, ErrorPointer) -> SecKey?).self))
        #expect(hasType(SecKeyCopyPublicKey, ((SecKey) -> SecKey?).self))
        #expect(hasType(SecKeyCopyAttributes, ((SecKey) -> CFDictionary?).self))
        #expect(hasType(SecKeyCopyExternalRepresentation, ((SecKey, ErrorPointer) -> CFData?).self))
        #expect(hasType(SecKeyGetBlockSize, ((SecKey) -> Int).self))
        #expect(
            hasType(SecKeyGeneratePair, ((CFDictionary, Pointer<SecKey?>?, Pointer<SecKey?>?) -> Status).self)
        )
    }

    @Test func `using keys`() {
        typealias Transformation = (SecKey, SecKeyAlgorithm, CFData, ErrorPointer) -> CFData?
        #expect(
            hasType(SecKeyIsAlgorithmSupported, ((SecKey, SecKeyOperationType, SecKeyAlgorithm) -> Bool).self)
        )
        #expect(hasType(SecKeyCreateSignature, Transformation.self))
        #expect(hasType(SecKeyCreateEncryptedData, Transformation.self))
        #expect(hasType(SecKeyCreateDecryptedData, Transformation.self))
        #expect(
            hasType(SecKeyVerifySignature, ((SecKey, SecKeyAlgorithm, CFData, CFData, ErrorPointer) -> Bool).self)
        )
        #expect(
            hasType(
                SecKeyCopyKeyExchangeResult,
                ((SecKey, SecKeyAlgorithm, SecKey, CFDictionary, ErrorPointer) -> CFData?).self
            )
        )
    }

    @Test func `older functions for keys`() {
        typealias Bytes = UnsafePointer<UInt8>
        typealias Transformation = (SecKey, SecPadding, Bytes, Int, Pointer<UInt8>, Pointer<Int>) -> Status
        #expect(hasType(SecKeyRawSign, Transformation.self))
        #expect(hasType(SecKeyEncrypt, Transformation.self))
        #expect(hasType(SecKeyDecrypt, Transformation.self))
        #expect(hasType(SecKeyRawVerify, ((SecKey, SecPadding, Bytes, Int, Bytes, Int) -> Status).self))
    }

    @Test func `certificates`() {
        #expect(hasType(SecCertificateCreateWithData, ((CFAllocator?, CFData) -> SecCertificate?).self))
        #expect(hasType(SecCertificateCopyData, ((SecCertificate) -> CFData).self))
        #expect(hasType(SecCertificateCopySubjectSummary, ((SecCertificate) -> CFString?).self))
        #expect(hasType(SecCertificateCopyCommonName, ((SecCertificate, Pointer<CFString?>) -> Status).self))
        #expect(hasType(SecCertificateCopyKey, ((SecCertificate) -> SecKey?).self))
        #expect(hasType(SecCertificateCopyPublicKey as (SecCertificate) -> SecKey?, ((SecCertificate) -> SecKey?).self))
        let copyKey: (SecCertificate, Pointer<SecKey?>) -> Status = SecCertificateCopyPublicKey
        #expect(hasType(copyKey, ((SecCertificate, Pointer<SecKey?>) -> Status).self))
        #expect(hasType(SecCertificateCopySerialNumberData, ((SecCertificate, ErrorPointer) -> CFData?).self))
    }

    @Test func `identities`() {
        #expect(hasType(SecIdentityCopyCertificate, ((SecIdentity, Pointer<SecCertificate?>) -> Status).self))
        #expect(hasType(SecIdentityCopyPrivateKey, ((SecIdentity, Pointer<SecKey?>) -> Status).self))
        #expect(hasType(SecPKCS12Import, ((CFData, CFDictionary, Pointer<CFArray?>) -> Status).self))
    }

    @Test func `trust`() {
        #expect(hasType(SecPolicyCreateBasicX509, (() -> SecPolicy).self))
        #expect(hasType(SecPolicyCreateSSL, ((Bool, CFString?) -> SecPolicy).self))
        #expect(hasType(SecPolicyCreateWithProperties, ((CFTypeRef, CFDictionary?) -> SecPolicy?).self))
        #expect(hasType(SecPolicyCopyProperties, ((SecPolicy) -> CFDictionary?).self))
        #expect(hasType(SecTrustCopyResult, ((SecTrust) -> CFDictionary?).self))
        #expect(hasType(SecTrustGetNetworkFetchAllowed, ((SecTrust, Pointer<DarwinBoolean>) -> Status).self))
        #expect(
            hasType(SecTrustCreateWithCertificates, ((CFTypeRef, CFTypeRef?, Pointer<SecTrust?>) -> Status).self)
        )
        #expect(hasType(SecTrustEvaluateWithError, ((SecTrust, Pointer<CFError?>?) -> Bool).self))
        #expect(hasType(SecTrustCopyKey, ((SecTrust) -> SecKey?).self))
        #expect(hasType(SecTrustCopyPublicKey, ((SecTrust) -> SecKey?).self))
        #expect(hasType(SecTrustGetCertificateCount, ((SecTrust) -> CFIndex).self))
        #expect(hasType(SecTrustGetCertificateAtIndex, ((SecTrust, CFIndex) -> SecCertificate?).self))
        #expect(hasType(SecTrustSetAnchorCertificates, ((SecTrust, CFArray) -> Status).self))
        #expect(hasType(SecTrustSetPolicies, ((SecTrust, CFTypeRef) -> Status).self))
    }

    @Test func `entitlements`() {
        #expect(hasType(SecTaskCreateFromSelf, ((CFAllocator?) -> SecTask?).self))
        #expect(hasType(SecTaskCopyValueForEntitlement, ((SecTask, CFString, ErrorPointer) -> CFTypeRef?).self))
        #expect(hasType(SecTaskCopyValuesForEntitlements, ((SecTask, CFArray, ErrorPointer) -> CFDictionary?).self))
        #expect(hasType(SecTaskCopySigningIdentifier, ((SecTask, ErrorPointer) -> CFString?).self))
    }

    @Test func `random bytes and messages`() {
        #expect(hasType(SecRandomCopyBytes, ((SecRandomRef?, Int, UnsafeMutableRawPointer) -> Int32).self))
        #expect(hasType(SecCopyErrorMessageString, ((OSStatus, UnsafeMutableRawPointer?) -> CFString?).self))
    }

    @Test func `shared web credentials`() {
        #expect(hasType(SecCreateSharedWebCredentialPassword, (() -> CFString?).self))
        // The compiler cannot compare the types of functions that take functions.
        let add: (CFString, CFString, CFString?, @escaping (CFError?) -> Void) -> Void = SecAddSharedWebCredential
        let request: (CFString?, CFString?, @escaping (CFArray?, CFError?) -> Void) -> Void =
            SecRequestSharedWebCredential
        var codes: [CFIndex] = []
        add("example.test", "kim", nil) { codes.append(CFErrorGetCode($0)) }
        request(nil, nil) { codes.append(CFErrorGetCode($1)) }
        #expect(codes == Array(repeating: CFIndex(errSecUnimplemented), count: 2))
    }
}

// A `!` in a declaration is a `?` in the type of the function.
@Suite("Types of Core Foundation functions") struct CoreFoundationSignatureTests {
    @Test func `errors`() {
        #expect(hasType(CFErrorGetCode, ((CFError?) -> CFIndex).self))
        #expect(hasType(CFErrorGetDomain, ((CFError?) -> CFErrorDomain?).self))
        #expect(hasType(CFErrorCopyDescription, ((CFError?) -> CFString?).self))
        #expect(hasType(CFErrorCopyUserInfo, ((CFError?) -> CFDictionary?).self))
        #expect(
            hasType(CFErrorCreate, ((CFAllocator?, CFErrorDomain?, CFIndex, CFDictionary?) -> CFError?).self)
        )
    }

    @Test func `type identifiers`() {
        #expect(hasType(CFGetTypeID, ((CFTypeRef?) -> CFTypeID).self))
        let functions = [
            CFStringGetTypeID, CFDataGetTypeID, CFDictionaryGetTypeID, CFArrayGetTypeID, CFNumberGetTypeID,
            CFBooleanGetTypeID, CFDateGetTypeID, CFURLGetTypeID, CFErrorGetTypeID, SecKeyGetTypeID,
            SecCertificateGetTypeID, SecIdentityGetTypeID, SecAccessControlGetTypeID, SecTrustGetTypeID,
            SecPolicyGetTypeID, SecTaskGetTypeID, CFSetGetTypeID, CFNullGetTypeID, CFUUIDGetTypeID,
        ]
        for function in functions { #expect(hasType(function, (() -> CFTypeID).self)) }
        #expect(Set(functions.map { $0() }).count == functions.count)
    }

    @Test func `objects and containers`() {
        #expect(hasType(CFEqual, ((CFTypeRef?, CFTypeRef?) -> Bool).self))
        #expect(hasType(CFHash, ((CFTypeRef?) -> CFHashCode).self))
        #expect(hasType(CFDataGetLength, ((CFData?) -> CFIndex).self))
        #expect(hasType(CFDataCreate, ((CFAllocator?, UnsafePointer<UInt8>?, CFIndex) -> CFData?).self))
        #expect(
            hasType(
                CFDataCreateWithBytesNoCopy,
                ((CFAllocator?, UnsafePointer<UInt8>?, CFIndex, CFAllocator?) -> CFData?).self
            )
        )
        #expect(hasType(CFDataGetBytePtr, ((CFData?) -> UnsafePointer<UInt8>?).self))
        #expect(hasType(CFDataGetBytes, ((CFData?, CFRange, Pointer<UInt8>?) -> Void).self))
        #expect(
            hasType(
                CFArrayCreate,
                ((CFAllocator?, Pointer<UnsafeRawPointer?>?, CFIndex, UnsafePointer<CFArrayCallBacks>?) -> CFArray?)
                    .self
            )
        )
        #expect(hasType(CFArrayGetCount, ((CFArray?) -> CFIndex).self))
        #expect(hasType(CFDictionaryGetCount, ((CFDictionary?) -> CFIndex).self))
        #expect(hasType(CFBooleanGetValue, ((CFBoolean?) -> Bool).self))
    }

    @Test func `strings, UUIDs and time`() {
        #expect(
            hasType(
                CFStringCreateWithCString,
                ((CFAllocator?, UnsafePointer<CChar>?, CFStringEncoding) -> CFString?).self
            )
        )
        #expect(hasType(CFStringGetLength, ((CFString?) -> CFIndex).self))
        #expect(hasType(CFUUIDCreate, ((CFAllocator?) -> CFUUID?).self))
        #expect(hasType(CFUUIDCreateString, ((CFAllocator?, CFUUID?) -> CFString?).self))
        #expect(hasType(CFUUIDCreateFromString, ((CFAllocator?, CFString?) -> CFUUID?).self))
        #expect(hasType(CFCopyDescription, ((CFTypeRef?) -> CFString?).self))
        #expect(hasType(CFAbsoluteTimeGetCurrent, (() -> CFAbsoluteTime).self))
    }

    @Test func `mutable dictionaries`() {
        typealias Change = (CFMutableDictionary?, UnsafeRawPointer?, UnsafeRawPointer?) -> Void
        typealias KeyCallBacks = UnsafePointer<CFDictionaryKeyCallBacks>
        typealias ValueCallBacks = UnsafePointer<CFDictionaryValueCallBacks>
        #expect(
            hasType(
                CFDictionaryCreateMutable,
                ((CFAllocator?, CFIndex, KeyCallBacks?, ValueCallBacks?) -> CFMutableDictionary?).self
            )
        )
        #expect(hasType(CFDictionarySetValue, Change.self))
        #expect(hasType(CFDictionaryAddValue, Change.self))
    }
}
