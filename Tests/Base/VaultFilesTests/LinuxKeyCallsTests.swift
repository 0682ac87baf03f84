import Foundation
import TestSupport
import Testing
import VaultFiles

/// The kernel of this machine, if it lets the tests use its keyring.
@Suite("Linux key calls", .enabled(if: KernelKeyring.isUsable, "the kernel keyring cannot be used here"))
struct LinuxKeyCallsTests {
    private let calls = LinuxKeyCalls()
    private let keyring = KernelKeyring()
    private let description = "coffer:test:\(UUID())"

    private func store(_ text: String, seconds: UInt32 = 3600) throws {
        try keyring.store(Array(text.utf8).span, as: description, seconds: seconds)
    }

    /// The line of `/proc/keys` about the key: serial number, flags, uses, time left, permissions, owner and more.
    private func line() throws -> [String] {
        let number = String(try calls.search(.user, for: description).number, radix: 16)
        // Its size is unknown beforehand, so it is read as a stream.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/keys"))
        let lines = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
        let fields = lines.map { $0.split(separator: " ").map(String.init) }
        return try #require(fields.first { $0[0].drop { $0 == "0" } == number }, "key not found")
    }

    @Test func `a stored value can be read, also by another thread`() async throws {
        try store("keys")
        #expect(try keyring.text(description) == "keys")
        let (keyring, description) = (keyring, description)
        let found = await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: try? keyring.text(description)) }.start()
        }
        #expect(found == "keys")
        #expect(try keyring.remove(description))
    }

    @Test func `the kernel knows the timeout and the permissions of a key`() throws {
        try store("keys", seconds: 86_400 * 3)
        let line = try line()
        #expect(line[3] == "2d" || line[3] == "3d")
        #expect(line[4] == "1b0b0000")
        #expect(line[5] == "\(CurrentProcess.user)")
        #expect(try keyring.remove(description))
    }

    @Test func `a key cannot be found in the user's keyring before it is linked there`() throws {
        let key = try calls.add(description, payload: [1].span, to: .thread)
        #expect(throws: KeyCallError(number: ENOKEY)) { try calls.search(.user, for: description) }
        try calls.unlink(key, from: .thread)
    }

    @Test func `the timeout and the value of a key cannot be changed`() throws {
        try store("keys")
        let key = try calls.search(.user, for: description)
        #expect(throws: KeyCallError(number: EACCES)) { try calls.setTimeout(of: key, seconds: 0) }
        #expect(throws: KeyCallError(number: EACCES)) { try calls.setPermissions(of: key, to: .possessorViews) }
        #expect(throws: KeyCallError(number: EACCES)) { try calls.add(description, payload: [1].span, to: .user) }
        #expect(try keyring.text(description) == "keys")
        #expect(try keyring.remove(description))
    }

    @Test func `a key that is stored again replaces the first, with its own timeout`() throws {
        try store("keys")
        let first = try calls.search(.user, for: description)
        try store("newer keys", seconds: 86_400 * 3)
        #expect(try calls.search(.user, for: description) != first)
        #expect(try keyring.text(description) == "newer keys")
        #expect(["2d", "3d"].contains(try line()[3]))
        #expect(try keyring.remove(description))
    }

    @Test func `nothing is left in the keyring of the thread`() throws {
        try store("keys")
        #expect(throws: KeyCallError(number: ENOKEY)) { try calls.search(.thread, for: description) }
        #expect(try keyring.remove(description))
    }

    @Test func `a removed key is absent`() throws {
        try store("keys")
        #expect(try keyring.remove(description))
        #expect(try keyring.text(description) == nil)
        #expect(try !keyring.remove(description))
        try store("keys")
        #expect(try keyring.text(description) == "keys")
        #expect(try keyring.remove(description))
    }

    @Test func `a value that does not fit is reported with its size`() throws {
        try store("keys")
        #expect(throws: KeyringFailure.tooLarge(byteCount: 4)) { try keyring.text(description, byteCountLimit: 3) }
        #expect(try keyring.remove(description))
    }
}
