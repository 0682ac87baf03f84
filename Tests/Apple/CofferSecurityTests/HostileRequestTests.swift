import Coffer
import Foundation
import Security
import TestSupport
import Testing

/// Requests with values that a program may have received from elsewhere.
@Suite("Requests with odd values", .temporaryDirectory) struct HostileRequestTests {
    private func withKeychain(_ body: () throws -> Void) throws {
        let directory = try TemporaryDirectory.current.path
        let locations = VaultLocations(
            vault: directory + "/a.coffer",
            deviceKey: directory + "/device.key",
            anchors: nil
        )
        let keychain = Keychain(
            options: VaultOptions(locations: locations),
            groups: AccessGroups(application: "com.example.hostile"),
            notices: { _ in }
        )
        try Keychain.withDefault(keychain, operation: body)
    }

    private func item(_ changes: [CFString: Any]) -> CFDictionary {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim"].merging(changes) { $1 } as CFDictionary
    }

    /// The stored form of a value for the type of an item, which is a number.
    private func kept(_ value: Any) -> Any? {
        var result: CFTypeRef?
        guard SecItemAdd(item([kSecAttrType: value, kSecReturnAttributes: true]), &result) == errSecSuccess else {
            return nil
        }
        return (result as? [CFString: Any])?[kSecAttrType]
    }

    @Test(
        arguments: [
            (NSNumber(value: true), 1), (NSNumber(value: false), 0), (NSNumber(value: Int8(5)), 5),
            (NSNumber(value: Int8(-1)), -1), (NSNumber(value: UInt8(200)), 200), (NSNumber(value: Int64.min), .min),
            (NSNumber(value: Int64.max), .max), (NSNumber(value: UInt32.max), Int64(UInt32.max)),
        ] as [(NSNumber, Int64)]
    )
    func `integers of every size are stored unchanged`(number: NSNumber, expected: Int64) throws {
        try withKeychain { #expect((kept(number) as? NSNumber)?.int64Value == expected) }
    }

    @Test(
        arguments: [
            UInt64.max as NSNumber, (UInt64(1) << 63) as NSNumber, Double.infinity as NSNumber,
            -Double.infinity as NSNumber, 1e300 as NSNumber, 0.5 as NSNumber, 0x1p63 as NSNumber,
        ]
    )
    func `numbers that are not 64-bit integers are stored as floating-point numbers`(number: NSNumber) throws {
        try withKeychain { #expect((kept(number) as? NSNumber)?.doubleValue == number.doubleValue) }
    }

    @Test func `a number that is NaN does no harm`() throws {
        try withKeychain {
            let number = NSNumber(value: Double.nan)
            #expect((kept(number) as? NSNumber)?.doubleValue.isNaN == true)
            #expect(SecItemCopyMatching(item([kSecMatchLimit: number]), nil) == errSecParam)
        }
    }

    @Test(arguments: [-Double.infinity, -1e300, 1e300, .infinity, .nan])
    func `a date outside every calendar does no harm`(seconds: Double) throws {
        try withKeychain {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(SecItemAdd(item([:]), nil) == errSecSuccess)
            #expect(SecItemUpdate(item([:]), [kSecAttrCreationDate: date] as CFDictionary) == errSecSuccess)
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(item([kSecReturnAttributes: true]), &result) == errSecSuccess)
            let found = (result as? [CFString: Any])?[kSecAttrCreationDate] as? Date
            #expect(found?.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern)
        }
    }

    @Test(arguments: ["acct", "labl", "v_Data", "v_Ref"])
    func `nested arrays are refused at any depth`(key: String) throws {
        try withDeepArray { array in
            try withKeychain {
                let request = NSMutableDictionary(dictionary: item([:]) as? [String: Any] ?? [:])
                request.setObject(array, forKey: key as NSString)
                #expect(SecItemAdd(request, nil) == errSecParam)
                #expect(SecItemCopyMatching(request, nil) == errSecParam)
                #expect(SecItemUpdate(item([:]), request) != errSecSuccess)
                request.removeAllObjects()
            }
        }
    }

    @Test func `nested arrays under ignored keys are ignored at any depth`() throws {
        try withDeepArray { array in
            try withKeychain {
                #expect(SecItemAdd(item([:]), nil) == errSecSuccess)
                let request = NSMutableDictionary(dictionary: item([:]) as? [String: Any] ?? [:])
                request.setObject(array, forKey: kSecMatchItemList)
                #expect(SecItemCopyMatching(request, nil) == errSecSuccess)
                request.removeAllObjects()
            }
        }
    }

    @Test func `an unknown object can take the place of a context`() throws {
        try withKeychain {
            #expect(SecItemAdd(item([:]), nil) == errSecSuccess)
            #expect(SecItemCopyMatching(item([kSecUseAuthenticationContext: NSObject()]), nil) == errSecSuccess)
            #expect(SecItemCopyMatching(item([kSecAttrLabel: NSObject()]), nil) == errSecParam)
        }
    }

    @Test func `only names in a list of issuers count`() throws {
        try withKeychain {
            func find(_ issuers: Any) -> OSStatus {
                SecItemCopyMatching([kSecClass: kSecClassCertificate, kSecMatchIssuers: issuers] as CFDictionary, nil)
            }
            #expect(SecItemAdd([kSecClass: kSecClassCertificate] as CFDictionary, nil) == errSecSuccess)
            #expect(find([Data()]) == errSecItemNotFound)
            #expect(find(["name", Data()]) == errSecItemNotFound)
            #expect(find([[Data()], "name"]) == errSecSuccess)
            #expect(find(Data()) == errSecSuccess)
        }
    }

    /// Passes `body` arrays that are nested too deeply for any stack.
    ///
    /// They are released from the outside afterwards, since otherwise each would release the next one recursively.
    private func withDeepArray(_ body: (NSArray) throws -> Void) rethrows {
        var arrays = [NSArray(object: 1)]
        for depth in 0..<100_000 { arrays.append(NSArray(object: arrays[depth])) }
        try body(arrays[arrays.count - 1])
        while !arrays.isEmpty { arrays.removeLast() }
    }
}
