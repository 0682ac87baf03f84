import Coffer
import Foundation
import Security
import Testing

@Suite("Entitlements of the program") struct SecTaskTests {
    private func task(_ entries: String) throws -> SecTask {
        SecTask(.success(try Entitlements(Array("<plist><dict>\(entries)</dict></plist>".utf8))))
    }

    @Test func `a value has the type that it was declared with`() throws {
        let task = try task(
            """
            <key>application-identifier</key><string>TEAM.com.example.app</string>
            <key>com.apple.security.app-sandbox</key><true/>
            <key>keychain-access-groups</key><array><string>$(AppIdentifierPrefix)com.example.shared</string></array>
            <key>com.example.level</key><integer>3</integer>
            """
        )
        func value(_ key: String) -> CFTypeRef? { SecTaskCopyValueForEntitlement(task, key as CFString, nil) }
        #expect(value("application-identifier") as? String == "TEAM.com.example.app")
        #expect(value("com.apple.security.app-sandbox") as? Bool == true)
        #expect(value("keychain-access-groups") as? [String] == ["TEAM.com.example.shared"])
        #expect(value("com.example.level") as? Int == 3)
        #expect(value("com.example.missing") == nil)
        #expect(SecTaskCopySigningIdentifier(task, nil) as String? == "com.example.app")
        let keys = ["com.example.level", "com.example.missing"] as CFArray
        #expect(SecTaskCopyValuesForEntitlements(task, keys, nil) as? [String: Int] == ["com.example.level": 3])
        #expect(CFGetTypeID(task) == SecTaskGetTypeID())
    }

    @Test func `a program without a declaration has no values, and that is no error`() {
        let task = SecTask(.success(nil))
        var error: Unmanaged<CFError>?
        #expect(SecTaskCopyValueForEntitlement(task, "application-identifier", &error) == nil)
        #expect(SecTaskCopyValuesForEntitlements(task, ["application-identifier"] as CFArray, &error)?.count == 0)
        #expect(SecTaskCopySigningIdentifier(task, &error) == nil)
        #expect(error == nil)
    }

    @Test func `an invalid file is an error that says what is wrong`() throws {
        let task = SecTask(.failure(EntitlementsError(.notText, file: "app.entitlements", line: 4, key: "x")))
        #expect(failure(of: { SecTaskCopyValueForEntitlement(task, "x", $0) }) == errSecMissingEntitlement)
        let keys = ["x"] as CFArray
        #expect(failure(of: { SecTaskCopyValuesForEntitlements(task, keys, $0) }) == errSecMissingEntitlement)
        #expect(failure(of: { SecTaskCopySigningIdentifier(task, $0) }) == errSecMissingEntitlement)
        var error: Unmanaged<CFError>?
        #expect(SecTaskCopyValueForEntitlement(task, "x", &error) == nil)
        #expect(try #require(error).takeRetainedValue().localizedDescription.contains("line 4"))
    }
}
