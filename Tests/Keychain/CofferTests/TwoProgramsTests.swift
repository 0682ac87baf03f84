import Coffer
import Foundation
import TestSupport
import Testing

@Suite("Two programs sharing a vault", .temporaryDirectory) struct TwoProgramsTests {
    private func opened(_ application: String, _ sample: VaultSample) throws -> WorkerProcess {
        let program = try WorkerProcess("KeychainWorker")
        let state = sample.directory.appending(path: "state").path
        #expect(try program.answer(to: "open", sample.path, state, application) == "unlocked")
        return program
    }

    @Test func `a class-wide delete in one program leaves the other's items alone`() throws {
        let sample = try VaultSample()
        _ = try sample.created()
        let (mail, notes) = (try opened("com.example.mail", sample), try opened("com.example.notes", sample))
        for account in ["a", "b"] {
            #expect(try mail.answer(to: "add", account) == "added")
            #expect(try notes.answer(to: "add", account) == "added")
        }
        #expect(try notes.answer(to: "add", "c") == "added")
        #expect(try mail.answer(to: "delete") == "deleted")
        #expect(try mail.answer(to: "delete") == "not found")
        #expect(try notes.answer(to: "count") == "3")
        #expect(try notes.answer(to: "delete") == "deleted")
        #expect(try notes.answer(to: "count") == "not found")
    }

    @Test func `a program without declarations has the group of its name`() throws {
        #expect(try WorkerProcess("KeychainWorker").answer(to: "groups") == "open KeychainWorker")
        let named = try WorkerProcess("KeychainWorker", variables: ["COFFER_APPLICATION": "com.example.mail"])
        #expect(try named.answer(to: "groups") == "open com.example.mail")
    }

    @Test func `a program has the groups from the file named by a variable`() throws {
        let path = try VaultSample().file(
            "mail.entitlements",
            """
            <plist version="1.0"><dict>
            <key>application-identifier</key><string>TEAM.com.example.mail</string>
            <key>keychain-access-groups</key><array><string>TEAM.com.example.shared</string></array>
            </dict></plist>
            """
        )
        let program = try WorkerProcess("KeychainWorker", variables: ["COFFER_ENTITLEMENTS": path])
        #expect(try program.answer(to: "groups") == "declared TEAM.com.example.shared TEAM.com.example.mail")
    }

    @Test func `each instance of a program sees the other's changes at once`() throws {
        let sample = try VaultSample()
        _ = try sample.created()
        let (one, other) = (try opened("com.example.mail", sample), try opened("com.example.mail", sample))
        #expect(try one.answer(to: "add", "a") == "added")
        #expect(try other.answer(to: "add", "a") == "duplicate")
        #expect(try other.answer(to: "add", "b") == "added")
        #expect(try one.answer(to: "count") == "2")
        #expect(try other.answer(to: "delete") == "deleted")
        #expect(try one.answer(to: "count") == "not found")
    }

    @Test func `a program that has closed the vault leaves it to the other`() throws {
        let sample = try VaultSample()
        _ = try sample.created()
        let (one, other) = (try opened("com.example.mail", sample), try opened("com.example.mail", sample))
        #expect(try one.answer(to: "close") == "closed")
        #expect(try other.answer(to: "add", "a") == "added")
    }
}
