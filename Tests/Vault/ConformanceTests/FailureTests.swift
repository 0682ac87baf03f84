import CofferBasics
import Testing
import StoreTestSupport
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

/// The content of failures, section 15.
@Suite("Failures") struct FailureTests {
    /// Texts of the passphrase, attributes and data that the vectors have in common.
    private static let secrets = ["horse", "kim", "sesame", "example.com"]

    @Test(arguments: try VaultVector.all().filter { $0.expectation != "success" })
    func `every failure states its location, and none reveals the content of an item`(vector: VaultVector) throws {
        let subject = VaultSubject(vector.bytes)
        var message: String
        do throws(VaultFormatError) {
            let report = try subject.contents(vector).report
            message = "\(report)"
            if case .inconsistent(let offset, _) = report.tail {
                #expect(vector.bytes.indices.contains(offset))
            }
        } catch {
            message = "\(error)"
            if let offset = error.offset { #expect((0...vector.bytes.count).contains(offset)) }
        }
        for secret in Self.secrets { #expect(!message.contains(secret), "\(message)") }
    }

    @Test func `missing memory is reported with both numbers`() throws {
        let example = try WorkedExample()
        let prelude = try VaultPrelude(of: MemorySource(example.file))
        let passphrase = try example.value("passphrase", in: "1")
        let weak = Argon2Limits.weak
        #expect(throws: VaultFormatError.notEnoughMemory(neededByteCount: 8192, availableByteCount: 8191)) {
            try prelude.roots(passphrase: passphrase.span, limits: weak, availableByteCount: 8191)
        }
        let roots = try prelude.roots(passphrase: passphrase.span, limits: weak, availableByteCount: 8192)
        #expect(roots.user != nil)
    }
}

extension VaultFormatError {
    /// The offset of the failure, if it is at a position in the file.
    fileprivate var offset: Int? {
        switch self {
        case .headerFailure(_, let offset), .keybagFailure(_, let offset), .snapshotFailure(_, let offset),
            .unknownTail(let offset):
            offset
        case .notAVault, .unsupported, .noMatch, .grantExpired, .deviceKeyNeeded, .notEnoughMemory, .limitExceeded,
            .unavailable:
            nil
        }
    }
}
