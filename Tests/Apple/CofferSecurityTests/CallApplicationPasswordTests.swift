import Coffer
import Foundation
import LocalAuthentication
import Security
import KeychainTestSupport
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// Items whose data is sealed under a password of the application.
@Suite("Calls: application passwords", .ownKeychain) struct CallApplicationPasswordTests {
    private func context(_ password: String) -> LAContext {
        let context = LAContext()
        context.setCredential(Data(password.utf8), type: .applicationPassword)
        return context
    }

    private func item(_ flags: SecAccessControlCreateFlags = .applicationPassword) throws -> [CFString: Any] {
        let control = try #require(SecAccessControlCreateWithFlags(nil, "ak" as CFString, flags, nil))
        return .genp("kim", [kSecAttrAccessControl: control, kSecValueData: Data("x")])
    }

    private func with(_ password: String, _ query: [CFString: Any] = .genp()) -> [CFString: Any] {
        query.with([kSecUseAuthenticationContext: context(password)])
    }

    @Test func `the right password gives the data, and a wrong one is errSecAuthFailed`() throws {
        #expect(Call.add(with("right", try item())) == 0)
        #expect(try Call.text(with("right")) == "x")
        #expect(Call.find(with("wrong")) == -25293)
        #expect(Call.find(with("wrong", .genp([kSecReturnAttributes: true]))) == -25293)
        #expect(Call.find(.genp()) == -25308)
    }

    @Test func `the host is asked for a new password, and then for it`() throws {
        let host = ScriptedHost(.password("secret"), .password("secret"))
        try host.run {
            try #require(Call.add(try item()) == 0)
            #expect(try Call.text(.genp()) == "x")
        }
        #expect(host.requests == [.newApplicationPassword, .applicationPassword])
    }

    @Test func `the host is asked again after a wrong password, three times in all`() throws {
        #expect(Call.add(with("right", try item())) == 0)
        let second = ScriptedHost(.password("wrong"), .password("right"))
        #expect(try second.run { try Call.text(.genp()) } == "x")
        #expect(second.lastPrompt?.wrongAnswerCount == 1)
        let never = ScriptedHost(.password("1"), .password("2"), .password("3"), .password("right"))
        never.run { #expect(Call.find(.genp()) == -25293) }
        #expect(never.requests.count == 3)
    }

    @Test func `a host that only says success opens nothing`() throws {
        #expect(Call.add(with("right", try item())) == 0)
        ScriptedHost(.success).run { #expect(Call.find(.genp()) == -25293) }
        let other = try item().with([kSecAttrAccount: "lee"])
        ScriptedHost(.success).run { #expect(Call.add(other) == -25293) }
    }

    @Test func `a user who cancels adds nothing`() throws {
        let item = try item()
        ScriptedHost(.failure(.userCancel)).run { #expect(Call.add(item) == -128) }
        LAHost.with(nil) { #expect(Call.add(item) == -25308) }
        #expect(Call.find(.genp()) == -25300)
    }

    @Test func `presence and password are both demanded`() throws {
        #expect(Call.add(with("right", try item([.userPresence, .applicationPassword]))) == 0)
        let host = ScriptedHost(.success, .password("right"))
        #expect(try host.run { try Call.text(.genp()) } == "x")
        #expect(host.requests == [.user(.passphrase), .applicationPassword])
        ScriptedHost(.failure(.userCancel)).run { #expect(Call.find(with("right")) == -128) }
    }

    @Test func `changes keep the password`() throws {
        #expect(Call.add(with("right", try item())) == 0)
        #expect(Call.update(with("wrong"), [kSecAttrLabel: "new"]) == -25293)
        #expect(Call.update(with("right"), [kSecAttrLabel: "new"]) == 0)
        #expect(try Call.text(with("right")) == "x")
        #expect(Call.update(with("right"), [kSecValueData: Data("y")]) == 0)
        #expect(try Call.text(with("right")) == "y")
        #expect(Call.find(with("wrong")) == -25293)
    }

    @Test func `a change of protection removes the password, and one of the access control sets another`() throws {
        #expect(Call.add(with("right", try item())) == 0)
        #expect(Call.update(with("right"), [kSecAttrAccessible: "ck"]) == 0)
        #expect(try Call.text(.genp()) == "x")
        let control = try #require(try item()[kSecAttrAccessControl])
        #expect(Call.update(.genp(), [kSecAttrAccessControl: control]) == -25308)
        #expect(Call.update(with("other"), [kSecAttrAccessControl: control]) == 0)
        #expect(Call.find(with("right")) == -25293)
        #expect(try Call.text(with("other")) == "x")
    }

    @Test func `an item moves to another group with its password`() throws {
        #expect(Call.add(with("right", try item())) == 0)
        #expect(Call.update(with("right"), [kSecAttrAccessGroup: "other"]) == 0)
        #expect(try Call.text(with("right", .genp([kSecAttrAccessGroup: "other"]))) == "x")
    }

    @Test func `a deletion needs no password`() throws {
        #expect(Call.add(with("right", try item())) == 0)
        LAHost.with(nil) { #expect(Call.delete(.genp()) == 0) }
    }

    @Test func `an item without data needs no password, until it gets data`() throws {
        let item = try item().filter { $0.key != kSecValueData }
        #expect(Call.add(item) == 0)
        #expect(Call.find(.genp()) == 0)
        #expect(Call.update(.genp(), [kSecValueData: Data("x")]) == -25308)
        #expect(Call.update(with("right"), [kSecValueData: Data("x")]) == 0)
        #expect(Call.find(.genp()) == -25308)
        #expect(try Call.text(with("right")) == "x")
    }

    @Test func `the password outlasts a compaction and a change of the keys`() async throws {
        #expect(Call.add(with("right", try item())) == 0)
        let vault = try CallSample.current.vault
        try vault.store.compact()
        #expect(try Call.text(with("right")) == "x")
        _ = try await vault.keyChange(to: VaultProtection()).report()
        #expect(try Call.text(with("right")) == "x")
        #expect(Call.find(with("wrong")) == -25293)
    }

    @Test func `the data is not in the vault without the password`() throws {
        #expect(Call.add(with("right", try item())) == 0)
        let store = try CallSample.current.vault.store
        let form = try store.read { vault in
            for group in vault.groupNames.keys {
                for item in try vault.items(in: group) { return try vault.secret(of: item)?.form }
            }
            return nil
        }
        #expect(form == .applicationPassword)
    }
}
