import Foundation
import class Security.SecAccessControl
import func Security.SecItemCopyMatching
import Security.SecBase
import Security.SecItem
import let Security.kSecClass
import struct Security.SecKeyAlgorithm
import typealias Security.OSStatus
import Testing

/// This file imports submodules and single declarations, never the whole module.
@Suite("Importing parts") struct ImportIdiomTests {
    @Test func `a submodule and a declaration give the names of the module`() {
        let find: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemCopyMatching
        #expect(find([:] as CFDictionary, nil) == errSecParam)
        #expect(kSecClass as String == "class")
        #expect(SecKeyAlgorithm.rsaSignatureRaw.rawValue as String == "algid:sign:RSA:raw")
        #expect(SecAccessControlGetTypeID() != SecKeyGetTypeID())
    }
}
