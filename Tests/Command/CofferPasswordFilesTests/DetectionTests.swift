import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("Detection of password files") struct DetectionTests {
    private func error(_ bytes: [UInt8]) -> PasswordFileError? {
        fileError { _ = try PasswordFile.read(HeldSecret(bytes), name: "file") }
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

    // A 10 MiB file whose folder has a name of 5 MB would be written with it for each of its items.
    @Test func `names that records share are shortened`() throws {
        let long = String(repeating: "\u{E4}", count: 101)
        let short = String(repeating: "\u{E4}", count: 50) + "\u{2026}"
        let json =
            #"{"encrypted": false, "folders": [{"id": "f", "name": "\#(long)/\#(String(repeating: "x/", count: 70))"}], "#
            + #""items": [{"type": 1, "folderId": "f", "fields": [{"name": "\#(long)", "value": "v", "type": 0}]}]}"#
        let record = try #require(try PasswordFile.read(HeldSecret(json), name: "a.json").records.first)
        #expect(record.folders == [short] + Array(repeating: "x", count: 63))
        #expect(record.fields.map(\.name) == [short])
        #expect(record.losses == ["long names of folders, tags or fields were shortened"])
        let csv = "name,url,username,password,note,type,login_uri,login_password,\(long)\na,,,,,login,,,v\n"
        let file = try PasswordFile.read(HeldSecret(csv), name: "a.csv")
        #expect(file.records.first?.fields.last?.name == short)
        #expect(file.losses.contains("long names of columns were shortened"))
    }

    @Test func `UTF-16 that is cut is refused with its position`() {
        #expect(error([0xFF, 0xFE, 0x61, 0x00, 0x62]) == .invalid("byte 4: half a character of UTF-16"))
        #expect(error([0xFE, 0xFF, 0xD8, 0x00]) == .invalid("byte 2: incomplete surrogate pair in UTF-16"))
    }
}
