import Security
import Testing

@Suite("Numbers of types") struct TypeNumberTests {
    @Test func `every type has its own`() {
        let numbers = [
            SecAccessControlGetTypeID(), SecCertificateGetTypeID(), SecIdentityGetTypeID(), SecKeyGetTypeID(),
            SecPolicyGetTypeID(), SecTrustGetTypeID(),
        ]
        #expect(Set(numbers).count == numbers.count)
    }

    @Test func `the classes of macOS's keychains in files can be named`() {
        let objects: (SecKeychain?, SecKeychainItem?, SecAccess?, SecTrustedApplication?) = (nil, nil, nil, nil)
        #expect(objects.0 == nil && objects.1 == nil && objects.2 == nil && objects.3 == nil)
    }
}
