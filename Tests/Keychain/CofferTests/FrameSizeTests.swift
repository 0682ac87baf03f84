import Coffer
import CofferSecurity
import Foundation
import TestSupport
import Testing
import VaultFormat

/// The size of a frame is visible without a key: section 6 of the threat model names these sizes.
@Suite("Frame sizes", .temporaryDirectory) struct FrameSizeTests {
    private let sample: VaultSample
    private let vault: Vault

    init() throws {
        sample = try VaultSample()
        vault = try sample.created(VaultProtection(passphrase: Passphrase("correct horse")))
    }

    /// The number of bytes by which the log grows.
    private func frameByteCount(_ change: (Keychain) throws -> Void) throws -> Int {
        func byteCount() throws -> Int { try Vault.outline(at: sample.path, options: sample.options).logByteCount }
        let before = try byteCount()
        try change(vault.keychain(for: AccessGroups(application: "app")))
        return try byteCount() - before
    }

    private func add(_ account: String, secretByteCount: Int = 20, to group: String = "app") throws -> Int {
        try frameByteCount { keychain in
            try keychain.add([
                "class": "genp", "acct": .string(account), "svce": "mail.example.com", "agrp": .string(group),
                "v_Data": .data([UInt8](repeating: 7, count: secretByteCount)),
            ])
        }
    }

    /// 128 bytes of frame; 8 + 88 + 176 of put, 464 of metadata, 64 of secret, or a multiple of 32; 1,024 at least.
    ///
    /// A new group brings records of 128, 152 and 164 bytes: its name, its match key for the device and a data key.
    @Test func `additions, changes and deletions have one size, unless they are large or bring keys`() throws {
        #expect(try add("first") == 1408)
        #expect(try add("first", to: "other") == 1408)
        #expect(try add("kim", secretByteCount: 2) == 1024)
        let change = try frameByteCount { keychain in
            try keychain.update(["class": "genp", "acct": "kim"], with: ["v_Data": .data([1, 2])])
        }
        #expect(change == 1024)
        #expect(try frameByteCount { try $0.delete(["class": "genp", "acct": "kim"]) } == 1024)
    }

    @Test(
        arguments: [
            (0, 1024), (2, 1024), (100, 1024), (134, 1024), (135, 1088), (1000, 1920), (2000, 2944), (10_000, 11_264),
            (100_000, 102_400),
        ]
    )
    func `a frame reveals the length of a secret only in steps`(secretByteCount: Int, expected: Int) throws {
        _ = try add("first")
        #expect(try add("next", secretByteCount: secretByteCount) == expected)
    }
}
