import Security
import Testing

@Suite("Type identifiers") struct TypeNumberTests {
    @Test func `every type has its own identifier`() {
        let numbers = [
            SecAccessControlGetTypeID(), SecCertificateGetTypeID(), SecIdentityGetTypeID(), SecKeyGetTypeID(),
            SecPolicyGetTypeID(), SecTrustGetTypeID(), SecTaskGetTypeID(),
        ]
        #expect(Set(numbers).count == numbers.count)
    }

    @Test func `the classes of the file-based keychain of macOS exist`() {
        let objects: (SecKeychain?, SecKeychainItem?, SecAccess?, SecTrustedApplication?) = (nil, nil, nil, nil)
        #expect(objects.0 == nil && objects.1 == nil && objects.2 == nil && objects.3 == nil)
    }
}
