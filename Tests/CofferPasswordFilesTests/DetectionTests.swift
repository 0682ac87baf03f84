import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("Detection of password files") struct DetectionTests {
    private func error(_ bytes: [UInt8]) -> PasswordFileError? {
        fileError { _ = try PasswordFile.read(FileBytes(bytes), name: "file") }
    }

    @Test func `files that cannot be read say what to do`() {
        #expect(error([0x03, 0xD9, 0xA2, 0x9A, 0x67])?.description.contains("export it as XML") == true)
        #expect(error(Array("-----BEGIN PGP MESSAGE-----\n".utf8))?.description.contains("gpg --decrypt") == true)
        let separator = "\n***5642bee8-a5ff-11dc-8314-0800200c9a66***\n"
        #expect(error(Array("{\"uuid\":\"1\"}\(separator)".utf8))?.description.contains("1PIF") == true)
    }

    @Test func `a file without content and one of unknown form are refused`() {
        #expect(error([]) == .invalid("the file is empty"))
        #expect(error(Array("\u{FEFF} \n".utf8)) == .invalid("the file is empty"))
        #expect(error(Array("{\"a\": 1}".utf8)) == .unknownForm)
        #expect(error(Array("<a/>".utf8)) == .unknownForm)
        #expect(error(Array("a,b\n1,2\n".utf8)) == .unknownForm)
    }

    @Test func `UTF-16 that is cut is refused with its position`() {
        #expect(error([0xFF, 0xFE, 0x61, 0x00, 0x62]) == .invalid("byte 4: half a character of UTF-16"))
        #expect(error([0xFE, 0xFF, 0xD8, 0x00]) == .invalid("byte 2: incomplete surrogate pair in UTF-16"))
    }
}
