import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

@Suite("Place files") struct PlaceFileTests {

    /// The check and the file name were computed with Python's hashlib.blake2b.
    private static let text = """
        coffer place 1
        vault 101112131415161718191a1b1c1d1e1f
        opener 03
        seen 0040204648470600
        check 18444ccc

        """

    @Test func `a file is read and written`() throws {
        let file = RememberedVaultFile(
            vault: .sample,
            opener: .passphraseAndKeyFile,
            seen: Time(microseconds: 1_767_225_600_000_000)
        )
        let text = Array(Self.text.utf8)
        #expect(try RememberedVaultFile(parsing: text.span) == file)
        #expect(file.text() == text)
    }

    @Test func `the file name is derived from the path of the vault`() {
        let name = RememberedVaultFile.name(ofVaultAt: "/home/kim/.local/share/coffer/login.coffer")
        #expect(name == "place-12a6af546381f460a7f7e3af2267749b")
    }

    @Test func `device unlock is not a valid opener`() {
        let text = RememberedVaultFile(vault: .sample, opener: .deviceUnlock, seen: Time(microseconds: 0)).text()
        #expect(throws: KeyFileError.self) { try RememberedVaultFile(parsing: text.span) }
    }

    @Test func `changed, truncated and extended files are rejected`() {
        let text = Array(Self.text.utf8)
        for index in text.indices {
            var changed = text
            changed[index] ^= 1
            #expect(throws: KeyFileError.self, "byte \(index)") { try RememberedVaultFile(parsing: changed.span) }
            let cut = Array(text[..<index])
            #expect(throws: KeyFileError.self, "cut at \(index)") { try RememberedVaultFile(parsing: cut.span) }
        }
        let longer = text + text
        #expect(throws: KeyFileError.self) { try RememberedVaultFile(parsing: longer.span) }
    }
}
