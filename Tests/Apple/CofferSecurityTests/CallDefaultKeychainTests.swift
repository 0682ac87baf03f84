import Coffer
import Foundation
import Security
import TestSupport
import Testing

/// The keychain that the calls use, and the moment when its vault is created.
@Suite("Calls: the default keychain", .temporaryDirectory) struct CallDefaultKeychainTests {
    /// A keychain in a directory that does not exist yet.
    private func keychain(_ groups: AccessGroups = AccessGroups(application: "com.example.app")) throws -> (
        keychain: Keychain, directory: String
    ) {
        let directory = try TemporaryDirectory.current.appending(path: "place").path
        let locations = VaultLocations(
            vault: directory + "/login.coffer",
            deviceKey: directory + "/device.key",
            anchors: nil
        )
        let ladder = UnlockLadder.withoutVariables
        let options = VaultOptions(locations: locations)
        return (Keychain(options: options, ladder: ladder, groups: groups) { _ in }, directory)
    }

    @Test func `the first addition creates the vault, and nothing before it does`() throws {
        let (keychain, directory) = try keychain()
        try Keychain.withDefault(keychain) { () throws in
            #expect([Call.find(.genp()), Call.update(.genp()), Call.delete(.genp())] == [-25300, -25300, -25300])
            #expect(Call.add(.genp([kSecAttrAccessGroup: kSecAttrAccessGroupToken])) == -34018)
            #expect(!FileManager.default.fileExists(atPath: directory))
            #expect(Call.add(.genp("kim", [kSecValueData: Data("x")])) == 0)
            #expect(FileManager.default.fileExists(atPath: directory + "/login.coffer"))
            #expect(try Call.text(.genp("kim")) == "x")
            #expect(Call.add(.genp("kim")) == -25299)
        }
    }

    @Test(arguments: [[:], ["class": "apls"], ["class": "genp", "abcd": "x"], ["class": "genp", "v_Data": "x"]])
    func `an invalid request creates no vault but returns its error`(item: [String: String]) throws {
        let expected: OSStatus = item["class"] == "apls" ? -25306 : item["abcd"] == nil ? -50 : -25303
        let (keychain, directory) = try keychain()
        Keychain.withDefault(keychain) { #expect(Call.all(item as CFDictionary) == .four(expected)) }
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test func `a program without groups creates no vault: errSecMissingEntitlement`() throws {
        let (keychain, directory) = try keychain(AccessGroups(declared: []))
        Keychain.withDefault(keychain) { #expect(Call.all(.genp()) == .four(-34018)) }
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test func `a file that is not a vault: errSecNotAvailable`() throws {
        let (keychain, directory) = try keychain()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let garbage = Data(repeating: 0x55, count: 4096)
        try garbage.write(to: URL(filePath: directory + "/login.coffer"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: directory + "/login.coffer"
        )
        Keychain.withDefault(keychain) { #expect(Call.all(.genp()) == .four(-25291)) }
        #expect(try Data(contentsOf: URL(filePath: directory + "/login.coffer")) == garbage)
    }

    @Test func `a task and its child tasks use the task's keychain`() async throws {
        let (keychain, _) = try keychain()
        await Keychain.withDefault(keychain) {
            #expect(Call.add(.genp()) == 0)
            await withTaskGroup(of: OSStatus.self) { group in
                for _ in 0..<4 { group.addTask { Call.find(.genp()) } }
                for await status in group { #expect(status == 0) }
            }
        }
    }

    @Test func `concurrent calls from many threads all succeed`() async throws {
        let (keychain, _) = try keychain()
        try await Keychain.withDefault(keychain) { () async throws in
            await withTaskGroup(of: [OSStatus].self) { group in
                for task in 0..<4 {
                    group.addTask {
                        (0..<10).flatMap { number in
                            let item: [CFString: Any] = .genp("\(task) \(number)", [kSecValueData: Data("x")])
                            return [Call.add(item), Call.update(item, [kSecAttrLabel: "L"]), Call.find(item)]
                        }
                    }
                }
                for await statuses in group { #expect(statuses == Array(repeating: 0, count: 30)) }
            }
            #expect(try Call.count(.genp([kSecAttrLabel: "L"])) == 40)
        }
    }
}
