import Foundation
import TestSupport
import Testing

/// Tests of `entitlements` that transcripts cannot contain.
@Suite("Permissions of entitlements", .temporaryDirectory) struct EntitlementsVerbTests {
    @Test func `others can read a new file, and a changed one keeps its permissions`() throws {
        let sample = try CommandSample()
        let path = sample.home.appending(path: "mail.entitlements").path
        func permissions() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(sample.run("entitlements", "init", path).status == 0)
        #expect(try permissions() == 0o644)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(sample.run("entitlements", "add", "shared", "--file", path).text.contains("LOCAL.shared"))
        #expect(try permissions() == 0o640)
    }
}
