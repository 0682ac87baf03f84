import Security
import TestSupport
import Testing

@Suite("Constants of items") struct ItemConstantTests {
    @Test(arguments: PublishedConstant.all)
    func `a constant has the published value`(constant: PublishedConstant) {
        #expect(constant.value == constant.expected)
    }

    @Test func `the two constants without a published value are unique`() {
        let own = [kSecImportExportAccess as String, kSecImportExportKeychain as String]
        #expect(Set(own).isDisjoint(with: PublishedConstant.all.map(\.expected)))
        #expect(own[0] != own[1])
    }

    @Test func `constants that share a value on Apple systems share it here`() {
        #expect(kSecAttrKeyType == kSecAttrType)
        #expect(kSecAttrKeyTypeEC == kSecAttrKeyTypeECSECPrimeRandom)
        #expect(kSecAttrPersistantReference == kSecAttrPersistentReference)
        #expect(kSecAttrProtocolHTTP == kSecAttrAuthenticationTypeHTTPBasic)
    }

    @Test func `no other two constants share a value`() {
        let names = Dictionary(grouping: PublishedConstant.all, by: \.value).values
            .filter { $0.count > 1 }
            .map { $0.map(\.name).sorted() }
            .sorted { $0[0] < $1[0] }
        #expect(
            names == [
                ["kSecAttrAuthenticationTypeHTTPBasic", "kSecAttrProtocolHTTP"],
                ["kSecAttrKeyType", "kSecAttrType"],
                ["kSecAttrKeyTypeEC", "kSecAttrKeyTypeECDSA", "kSecAttrKeyTypeECSECPrimeRandom"],
                ["kSecAttrPersistantReference", "kSecAttrPersistentReference"],
            ]
        )
    }

    @Test(arguments: RevocationFlag.all) func `flags of revocation have Apple's bits`(flag: RevocationFlag) {
        #expect(flag.flag == flag.bits)
    }

    @Test func `the tables contain every constant and status code in the sources`() throws {
        let inSources = try SurfaceSources.names()
        let inTables =
            PublishedConstant.all.map(\.name) + StatusCodeLine.all.map(\.name)
            + ["kSecImportExportAccess", "kSecImportExportKeychain", "kSecRandomDefault"]
            + RevocationFlag.all.map(\.name)
        #expect(Set(inSources).symmetricDifference(inTables) == [])
        #expect(inSources.count == Set(inSources).count)
        #expect(inTables.count == Set(inTables).count)
    }
}

/// A flag for `SecPolicyCreateRevocation`, as in Apple's header `SecPolicy.h`.
struct RevocationFlag: Sendable {
    let name: String
    let flag: CFOptionFlags
    let bits: CFOptionFlags

    static let all = [
        RevocationFlag(name: "kSecRevocationOCSPMethod", flag: kSecRevocationOCSPMethod, bits: 1),
        RevocationFlag(name: "kSecRevocationCRLMethod", flag: kSecRevocationCRLMethod, bits: 2),
        RevocationFlag(name: "kSecRevocationPreferCRL", flag: kSecRevocationPreferCRL, bits: 4),
        RevocationFlag(
            name: "kSecRevocationRequirePositiveResponse",
            flag: kSecRevocationRequirePositiveResponse,
            bits: 8
        ),
        RevocationFlag(
            name: "kSecRevocationNetworkAccessDisabled",
            flag: kSecRevocationNetworkAccessDisabled,
            bits: 16
        ),
        RevocationFlag(
            name: "kSecRevocationUseAnyAvailableMethod",
            flag: kSecRevocationUseAnyAvailableMethod,
            bits: 3
        ),
    ]
}
