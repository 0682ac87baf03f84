import Security
import Stamp
import Testing

@testable import StampMacros

// Tests of a macro are built like the macro, which sees no Security unless it imports it.

@Test func `tests of a macro see the keychain`() {
    #expect(SecItemDelete([kSecClass: kSecClassKey] as CFDictionary) == errSecItemNotFound)
    #expect(#stamp == "the macro sees no Security")
}
