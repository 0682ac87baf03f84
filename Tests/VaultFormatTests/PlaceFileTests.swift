import CofferBasics
import Testing
import VaultCrypto
import VaultFormat

@Suite("Files about places") struct PlaceFileTests {

    /// The check and the name are by hashlib.blake2b of Python.
    private static let text = """
        coffer place 1
        vault 101112131415161718191a1b1c1d1e1f
        opener 03
        seen 0040204648470600
        check 18444ccc

        """

    @Test func `a file is read and written`() throws {
        let file = PlaceFile(
            vault: .sample,
            opener: .passphraseAndKeyFile,
            seen: Time(microseconds: 1_767_225_600_000_000)
        )
        let text = Array(Self.text.utf8)
        #expect(try PlaceFile(parsing: text.span) == file)
        #expect(file.text() == text)
    }

    @Test func `the name is that of the path`() {
        let name = PlaceFile.name(ofVaultAt: "/home/kim/.local/share/coffer/login.coffer")
        #expect(name == "place-12a6af546381f460a7f7e3af2267749b")
    }

    @Test func `a device alone is no opener`() {
        let text = PlaceFile(vault: .sample, opener: .deviceUnlock, seen: Time(microseconds: 0)).text()
        #expect(throws: KeyFileError.self) { try PlaceFile(parsing: text.span) }
    }

    @Test func `every changed byte, a missing end and more bytes are refused`() {
        let text = Array(Self.text.utf8)
        for index in text.indices {
            var changed = text
            changed[index] ^= 1
            #expect(throws: KeyFileError.self, "byte \(index)") { try PlaceFile(parsing: changed.span) }
            let cut = Array(text[..<index])
            #expect(throws: KeyFileError.self, "cut at \(index)") { try PlaceFile(parsing: cut.span) }
        }
        let longer = text + text
        #expect(throws: KeyFileError.self) { try PlaceFile(parsing: longer.span) }
    }
}
