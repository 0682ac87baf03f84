import Foundation
import Security
import Testing

@Suite("Core Foundation functions") struct CoreFoundationTests {
    /// An object and its type.
    private struct Typed: @unchecked Sendable, CustomTestStringConvertible {
        let testDescription: String
        let object: CFTypeRef
        let type: CFTypeID
    }

    @Test(arguments: [
        Typed(testDescription: "text", object: "a" as CFString, type: CFStringGetTypeID()),
        Typed(testDescription: "mutable text", object: CFMutableString(string: "a"), type: CFStringGetTypeID()),
        Typed(testDescription: "bytes", object: Data([1]) as CFData, type: CFDataGetTypeID()),
        Typed(testDescription: "dictionary", object: ["a": 1] as CFDictionary, type: CFDictionaryGetTypeID()),
        Typed(testDescription: "array", object: [1, 2] as CFArray, type: CFArrayGetTypeID()),
        Typed(testDescription: "true", object: kCFBooleanTrue, type: CFBooleanGetTypeID()),
        Typed(testDescription: "false", object: false as CFBoolean, type: CFBooleanGetTypeID()),
        Typed(testDescription: "boolean as any value", object: true as AnyObject, type: CFBooleanGetTypeID()),
        Typed(testDescription: "1", object: 1 as CFNumber, type: CFNumberGetTypeID()),
        Typed(testDescription: "1 in one byte", object: NSNumber(value: Int8(1)), type: CFNumberGetTypeID()),
        Typed(testDescription: "0.0", object: NSNumber(value: 0.0), type: CFNumberGetTypeID()),
        Typed(testDescription: "date", object: Date() as CFDate, type: CFDateGetTypeID()),
        Typed(testDescription: "URL", object: NSURL(fileURLWithPath: "/"), type: CFURLGetTypeID()),
        Typed(testDescription: "set", object: NSSet(array: [1]), type: CFSetGetTypeID()),
        Typed(testDescription: "null", object: kCFNull, type: CFNullGetTypeID()),
        Typed(testDescription: "UUID", object: CFUUIDCreate(nil), type: CFUUIDGetTypeID()),
        Typed(testDescription: "error", object: CFError(domain: "a", code: 1), type: CFErrorGetTypeID()),
    ])
    private func `an object has the type identifier of its type`(typed: Typed) {
        #expect(CFGetTypeID(typed.object) == typed.type)
    }

    @Test func `every type has a different identifier`() {
        let types = [
            CFStringGetTypeID(), CFDataGetTypeID(), CFDictionaryGetTypeID(), CFArrayGetTypeID(), CFNumberGetTypeID(),
            CFBooleanGetTypeID(), CFDateGetTypeID(), CFURLGetTypeID(), CFErrorGetTypeID(), CFGetTypeID(NSNull()),
            CFGetTypeID(nil),
        ]
        #expect(Set(types).count == types.count)
    }

    @Test func `objects with the same type and value are equal and have the same hash`() {
        let text = "a text that is long enough to be an object"
        #expect(CFEqual(text as CFString, NSMutableString(string: text)))
        #expect(CFHash(text as CFString) == CFHash(NSMutableString(string: text)))
        #expect(CFEqual(["a": [1, 2]] as CFDictionary, ["a": [1, 2]] as NSMutableDictionary))
        #expect(CFEqual(kSecAttrKeyType, kSecAttrType))
        #expect(!CFEqual(kSecClassKey, kSecClassIdentity))
    }

    @Test func `objects of different types are not equal`() {
        #expect(!CFEqual(kCFBooleanTrue, 1 as CFNumber))
        #expect(!CFEqual("1" as CFString, 1 as CFNumber))
        #expect(!CFEqual("1" as CFString, nil))
    }

    @Test func `objects without a value equal only themselves`() {
        final class Plain {}
        let object = Plain()
        #expect(CFEqual(object, object))
        #expect(!CFEqual(object, Plain()))
        #expect(CFHash(object) == CFHash(object))
        #expect(CFEqual(nil, nil))
    }

    @Test func `counts and lengths are correct`() {
        #expect(CFDataGetLength(Data([1, 2, 3]) as CFData) == 3)
        #expect(CFArrayGetCount([1, 2] as CFArray) == 2)
        #expect(CFDictionaryGetCount(["a": 1] as CFDictionary) == 1)
        #expect(CFBooleanGetValue(kCFBooleanTrue))
        #expect(!CFBooleanGetValue(kCFBooleanFalse))
    }

    @Test func `an array retains its objects`() {
        final class Object: NSObject {}
        weak var first: Object?
        let array: CFArray = {
            let objects = [Object(), Object()]
            first = objects[0]
            var values = objects.map { UnsafeRawPointer?(Unmanaged.passUnretained($0).toOpaque()) }
            return withExtendedLifetime(objects) {
                CFArrayCreate(kCFAllocatorDefault, &values, values.count, &kCFTypeArrayCallBacks)
            }
        }()
        #expect(CFArrayGetCount(array) == 2)
        #expect(first != nil && array.firstObject as? Object === first)
        #expect(CFEqual(array.lastObject as CFTypeRef?, first) == false)
        #expect(CFArrayGetCount(CFArrayCreate(nil, nil, 0, nil)) == 0)
        #expect(CFArrayCreate(nil, nil, -1, nil) == nil)
    }

    @Test func `a description is that of the object`() {
        #expect(CFCopyDescription("kim" as CFString) as String == "kim")
        #expect(CFCopyDescription(nil) == nil)
    }

    @Test func `the time is that of Foundation`() {
        let before = Date().timeIntervalSinceReferenceDate
        let now = CFAbsoluteTimeGetCurrent()
        #expect((before...Date().timeIntervalSinceReferenceDate).contains(now))
    }

    @Test func `a boolean of C is one of Swift`() {
        let answers: [DarwinBoolean] = [true, false, DarwinBoolean(true)]
        #expect(answers.map(\.boolValue) == [true, false, true])
        #expect(answers[0] == answers[2] && answers[0] != answers[1])
        #expect("\(answers[0])" == "true")
        #expect(MemoryLayout<DarwinBoolean>.size == 1)
    }

    /// Foundation has the same values, most of them under names of its own.
    @Test(arguments: foundationConstants)
    func `a domain or key has the published value`(constant: PublishedConstant) {
        #expect(constant.value == constant.expected)
    }

    @Test func `an error returns the values that it was created with`() {
        let error = CFErrorCreate(
            kCFAllocatorDefault,
            NSOSStatusErrorDomain as CFErrorDomain,
            CFIndex(errSecItemNotFound),
            [NSLocalizedDescriptionKey: "nothing there"] as CFDictionary
        )
        #expect(CFErrorGetCode(error) == -25300)
        #expect(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain)
        #expect(CFErrorCopyDescription(error) as String == "nothing there")
        #expect(CFErrorCopyUserInfo(error) as? [String: String] == [NSLocalizedDescriptionKey: "nothing there"])
    }

    @Test func `an error requires only a domain and a code`() {
        let error: CFError? = CFErrorCreate(nil, "a" as CFErrorDomain, 7, nil)
        #expect(error?.domain == "a")
        #expect(error?.code == 7)
        #expect(error?.userInfo.isEmpty == true)
        let nameless: CFError? = CFErrorCreate(nil, nil, 7, nil)
        #expect(nameless == nil)
    }
}

private let foundationConstants: [PublishedConstant] = [
    .init("kCFErrorDomainOSStatus", kCFErrorDomainOSStatus, NSOSStatusErrorDomain),
    .init("kCFErrorDomainPOSIX", kCFErrorDomainPOSIX, NSPOSIXErrorDomain),
    .init("kCFErrorDomainMach", kCFErrorDomainMach, NSMachErrorDomain),
    .init("kCFErrorDomainCocoa", kCFErrorDomainCocoa, NSCocoaErrorDomain),
    .init("kCFErrorLocalizedDescriptionKey", kCFErrorLocalizedDescriptionKey, NSLocalizedDescriptionKey),
    .init("kCFErrorLocalizedFailureReasonKey", kCFErrorLocalizedFailureReasonKey, NSLocalizedFailureReasonErrorKey),
    .init(
        "kCFErrorLocalizedRecoverySuggestionKey",
        kCFErrorLocalizedRecoverySuggestionKey,
        NSLocalizedRecoverySuggestionErrorKey
    ),
    .init("kCFErrorUnderlyingErrorKey", kCFErrorUnderlyingErrorKey, NSUnderlyingErrorKey),
    .init("kCFErrorURLKey", kCFErrorURLKey, NSURLErrorKey),
    .init("kCFErrorFilePathKey", kCFErrorFilePathKey, NSFilePathErrorKey),
    .init("kCFErrorLocalizedFailureKey", kCFErrorLocalizedFailureKey, "NSLocalizedFailure"),
    .init("kCFErrorDescriptionKey", kCFErrorDescriptionKey, "NSDescription"),
    .init("kCFBundleNameKey", kCFBundleNameKey, "CFBundleName"),
    .init("kCFBundleVersionKey", kCFBundleVersionKey, "CFBundleVersion"),
    .init("kCFBundleExecutableKey", kCFBundleExecutableKey, "CFBundleExecutable"),
    .init("kCFBundleInfoDictionaryVersionKey", kCFBundleInfoDictionaryVersionKey, "CFBundleInfoDictionaryVersion"),
    .init("kCFBundleDevelopmentRegionKey", kCFBundleDevelopmentRegionKey, "CFBundleDevelopmentRegion"),
    .init("kCFBundleLocalizationsKey", kCFBundleLocalizationsKey, "CFBundleLocalizations"),
]
