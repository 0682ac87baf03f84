import Foundation
import Security
import Testing

/// Dictionaries built as programs written for C build them.
@Suite("Dictionaries built step by step") struct CoreFoundationDictionaryTests {
    private let dictionary: CFMutableDictionary = CFDictionaryCreateMutable(
        kCFAllocatorDefault,
        0,
        &kCFTypeDictionaryKeyCallBacks,
        &kCFTypeDictionaryValueCallBacks
    )

    private func pointer(to object: AnyObject) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    @Test func `a value that is set is found by its key`() {
        CFDictionarySetValue(dictionary, pointer(to: kSecClass), pointer(to: kSecClassGenericPassword))
        CFDictionarySetValue(dictionary, pointer(to: kSecReturnData), pointer(to: kCFBooleanTrue))
        #expect(dictionary as? [String: AnyHashable] == ["class": "genp", "r_Data": true])
    }

    @Test func `setting replaces a value, adding does not`() {
        CFDictionaryAddValue(dictionary, pointer(to: kSecClass), pointer(to: kSecClassKey))
        CFDictionaryAddValue(dictionary, pointer(to: kSecClass), pointer(to: kSecClassIdentity))
        #expect(dictionary as? [String: String] == ["class": "keys"])
        CFDictionarySetValue(dictionary, pointer(to: kSecClass), pointer(to: kSecClassIdentity))
        #expect(dictionary as? [String: String] == ["class": "idnt"])
    }

    @Test func `a value lives exactly as long as the dictionary`() {
        final class Value: NSObject {}
        weak var survivor: Value?
        do {
            let value = Value()
            survivor = value
            CFDictionarySetValue(dictionary, pointer(to: kSecValueRef), pointer(to: value))
        }
        #expect(survivor != nil)
        #expect(dictionary[kSecValueRef] as AnyObject === survivor)
        dictionary.removeAllObjects()
        #expect(survivor == nil)
    }

    @Test func `missing callbacks, keys and values are ignored`() {
        let plain: CFMutableDictionary = CFDictionaryCreateMutable(nil, 0, nil, nil)
        CFDictionarySetValue(plain, nil, pointer(to: kSecClass))
        CFDictionaryAddValue(plain, pointer(to: kSecClass), nil)
        #expect(CFDictionaryGetCount(plain) == 0)
    }
}
