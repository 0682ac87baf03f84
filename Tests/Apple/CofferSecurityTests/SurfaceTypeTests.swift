// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import Security
import Testing

/// Whether a value is declared with this type.
private func hasType<Value>(_ value: Value, _ type: Any.Type) -> Bool { Value.self == type }
private func isSame(_ type: Any.Type, as other: Any.Type) -> Bool { type == other }

private func isObject<Object: NSObject & Sendable & Hashable>(_ type: Object.Type) -> Bool { true }
private func isFlags<Flags: OptionSet & Sendable>(_ type: Flags.Type, _ rawValue: Flags.RawValue.Type) -> Bool { true }
private func isName<Name: RawRepresentable<CFString> & Hashable & Sendable>(_ type: Name.Type) -> Bool { true }
private func isEnumeration<Value: RawRepresentable & Hashable & Sendable>(_ type: Value.Type) -> Bool { true }

@Suite("Types") struct SurfaceTypeTests {
    @Test(
        arguments: [
            (CFTypeRef.self, AnyObject.self), (CFString.self, NSString.self), (CFDictionary.self, NSDictionary.self),
            (CFMutableString.self, NSMutableString.self), (CFMutableDictionary.self, NSMutableDictionary.self),
            (CFArray.self, NSArray.self), (CFMutableArray.self, NSMutableArray.self), (CFData.self, NSData.self),
            (CFMutableData.self, NSMutableData.self), (CFDate.self, NSDate.self), (CFURL.self, NSURL.self),
            (CFSet.self, NSSet.self), (CFMutableSet.self, NSMutableSet.self), (CFNull.self, NSNull.self),
            (CFUUID.self, NSUUID.self), (CFPropertyList.self, AnyObject.self), (CFStringEncoding.self, UInt32.self),
            (CFNumber.self, NSNumber.self), (CFBoolean.self, NSNumber.self), (CFError.self, NSError.self),
            (CFErrorDomain.self, NSString.self), (CFIndex.self, Int.self), (CFTypeID.self, UInt.self),
            (CFOptionFlags.self, UInt.self), (CFTimeInterval.self, Double.self), (CFAbsoluteTime.self, Double.self),
            (OSStatus.self, Int32.self), (OSType.self, UInt32.self), (FourCharCode.self, UInt32.self),
            (NSInteger.self, Int.self), (NSUInteger.self, UInt.self), (SecRandomRef.self, OpaquePointer.self),
        ] as [(Any.Type, Any.Type)]
    )
    func `Core Foundation names are types of Swift and Foundation`(name: Any.Type, meaning: Any.Type) {
        #expect(isSame(name, as: meaning))
    }

    @Test func `constants`() {
        #expect(hasType(kCFAllocatorDefault, CFAllocator?.self))
        #expect(hasType(kCFBooleanTrue, CFBoolean?.self))
        #expect(hasType(kCFBooleanFalse, CFBoolean?.self))
        #expect(hasType(kCFNull, CFNull?.self))
        #expect(hasType(kCFAllocatorNull, CFAllocator?.self) && hasType(kCFAllocatorMalloc, CFAllocator?.self))
        #expect(hasType(kCFAllocatorSystemDefault, CFAllocator?.self))
        #expect(hasType(kCFBundleIdentifierKey, CFString?.self))
        #expect(hasType(kCFErrorDomainOSStatus, CFErrorDomain?.self))
        #expect(hasType(kCFErrorLocalizedDescriptionKey, CFString?.self))
        #expect(hasType(userCanceledErr, Int.self) && userCanceledErr == -128)
        #expect(hasType(noErr, OSStatus.self))
        #expect(hasType(errSecSuccess, OSStatus.self))
        #expect(hasType(kSecRandomDefault, SecRandomRef?.self))
        #expect(hasType(kSecClass, CFString.self))
        #expect(kSecRandomDefault == nil && kCFAllocatorDefault == nil && noErr == 0)
    }

    @Test func `implicitly unwrapped constants`() {
        let flags: [CFBoolean] = [kCFBooleanTrue, kCFBooleanFalse, kCFBooleanTrue!, kCFBooleanFalse!]
        #expect(flags.map(\.boolValue) == [true, false, true, false])
        let key: CFString = kCFBundleIdentifierKey
        #expect(String(key) == "CFBundleIdentifier")
    }

    @Test func `classes are objects that are sendable and hashable`() {
        #expect(isObject(SecAccessControl.self) && isObject(SecKey.self) && isObject(SecCertificate.self))
        #expect(isObject(SecIdentity.self) && isObject(SecTrust.self) && isObject(SecPolicy.self))
        #expect(isObject(SecTask.self))
        #expect(isObject(SecKeychain.self) && isObject(SecKeychainItem.self) && isObject(SecAccess.self))
        #expect(isObject(SecTrustedApplication.self) && isObject(CFAllocator.self))
    }

    @Test func `names of algorithms and parameters are strings`() {
        #expect(isName(SecKeyAlgorithm.self) && isName(SecKeyKeyExchangeParameter.self))
        #expect(SecKeyKeyExchangeParameter.requestedSize.rawValue == "requestedSize")
        #expect(SecKeyKeyExchangeParameter.sharedInfo.rawValue == "sharedInfo")
    }

    @Test(
        arguments: [
            (.userPresence, 0), (.biometryAny, 1), (.touchIDAny, 1), (.biometryCurrentSet, 3), (.touchIDCurrentSet, 3),
            (.devicePasscode, 4), (.watch, 5), (.companion, 5), (.or, 14), (.and, 15), (.privateKeyUsage, 30),
            (.applicationPassword, 31),
        ] as [(SecAccessControlCreateFlags, Int)]
    )
    func `access control flags are bits`(flag: SecAccessControlCreateFlags, position: Int) {
        #expect(isFlags(SecAccessControlCreateFlags.self, CFOptionFlags.self))
        #expect(flag.rawValue == 1 << position)
    }

    @Test(
        arguments: [
            ([], 0), (.PKCS1, 1), (.OAEP, 2), (.sigRaw, 0x4000), (.PKCS1SHA1, 0x8002), (.PKCS1SHA224, 0x8003),
            (.PKCS1SHA256, 0x8004), (.PKCS1SHA384, 0x8005), (.PKCS1SHA512, 0x8006),
        ] as [(SecPadding, UInt32)]
    )
    func `paddings have Apple's numbers`(padding: SecPadding, number: UInt32) {
        #expect(isFlags(SecPadding.self, UInt32.self))
        #expect(padding.rawValue == number)
    }

    @Test func `operations and results are numbered from 0`() {
        #expect(isEnumeration(SecKeyOperationType.self) && isEnumeration(SecTrustResultType.self))
        let operations: [SecKeyOperationType] = [.sign, .verify, .encrypt, .decrypt, .keyExchange]
        #expect(operations.map(\.rawValue) == Array(0..<5))
        let results: [SecTrustResultType] = [
            .invalid, .proceed, .confirm, .deny, .unspecified, .recoverableTrustFailure, .fatalTrustFailure,
            .otherError,
        ]
        #expect(results.map(\.rawValue) == Array(UInt32(0)..<8))
    }
}
