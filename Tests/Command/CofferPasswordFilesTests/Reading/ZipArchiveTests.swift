import CofferBasics
import CofferPasswordFiles
import Testing
import VaultCrypto

@Suite("Zip archives") struct ZipArchiveTests {
    @Test func `deflated entries are read, and directories are left out`() throws {
        let archive = try ZipArchive(HeldSecret(ZipBytes.deflated))
        #expect(archive.entries.map(\.name) == ["a/one.txt", "two.txt"])
        let one = try #require(archive["a/one.txt"])
        #expect(try archive.content(of: one).array == Array("hello hello hello hello".utf8))
        let two = try #require(archive["two.txt"])
        #expect(try archive.content(of: two).byteCount == 0)
        #expect(archive["b/"] == nil)
    }

    // The same entry, written by Python to a stream: its sizes are in a data descriptor.
    @Test func `sizes come from the directory`() throws {
        let archive = try ZipArchive(
            HeldSecret(
                bytes(
                    base64: """
                        UEsDBBQACAAIAAAAIQAAAAAAAAAAAAAAAAAJAAAAYS9vbmUudHh0y0jNyclXyEAnAVBLBwjjUT2NCgAAABcAAABQSwECFAMU\
                        AAgACAAAACEA41E9jQoAAAAXAAAACQAAAAAAAAAAAAAAgAEAAAAAYS9vbmUudHh0UEsFBgAAAAABAAEANwAAAEEAAAAAAA==
                        """
                )
            )
        )
        let entry = try #require(archive.entries.first)
        #expect(try archive.content(of: entry).byteCount == 23)
    }

    @Test func `64-bit fields are read`() throws {
        var zip = ZipBytes()
        zip.is64 = true
        zip.add("a", "hello")
        zip.add("b", "world!")
        let archive = try ZipArchive(HeldSecret(zip.written))
        #expect(archive.entries.map(\.byteCount) == [5, 6])
        #expect(try archive.content(of: archive.entries[1]).array == Array("world!".utf8))
    }

    @Test func `of the 64-bit fields, the size of the content comes first`() throws {
        var zip = ZipBytes()
        (zip.is64, zip.method) = (true, 8)
        // "hello hello hello hello" in raw deflate, by Python.
        zip.add("a", bytes: bytes(base64: "y0jNyclXyEAnAQ=="))
        let text = Array("hello hello hello hello".utf8)
        (zip.byteCounts, zip.checksums) = ([0: 23], [0: Zlib.checksum(text.span)])
        let archive = try ZipArchive(HeldSecret(zip.written))
        #expect(try archive.content(of: archive.entries[0]).array == text)
    }

    @Test func `an archive that was written is read`() throws {
        var writer = ZipWriter()
        writer.add("dir/\u{E4}.txt", HeldSecret("hello"))
        writer.add("empty", HeldSecret(""))
        let archive = try ZipArchive(writer.written())
        #expect(archive.entries.map(\.name) == ["dir/\u{E4}.txt", "empty"])
        #expect(try archive.content(of: archive.entries[0]).array == Array("hello".utf8))
    }

    @Test(arguments: ["../a", "a/../b", "/a", "a\\b", "C:/a", "a\0b", "", ".."])
    func `entries with unsafe names are left out`(name: String) throws {
        var zip = ZipBytes()
        zip.add(name, "x")
        zip.add("a..b", "y")
        let archive = try ZipArchive(HeldSecret(zip.written))
        #expect(archive.entries.map(\.name) == ["a..b"])
        #expect(archive.refused.count == 1)
    }

    @Test func `an entry that occurs twice is refused`() {
        var zip = ZipBytes()
        zip.add("a", "x")
        zip.add("a", "y")
        #expect(fileError { _ = try ZipArchive(HeldSecret(zip.written)) }?.description.contains("same name") == true)
    }

    @Test func `entries that overlap are refused`() {
        var zip = ZipBytes()
        zip.add("a", "hello")
        zip.add("a", "hello")
        // The second header in the directory points to the first entry.
        zip.places = [0, 0]
        zip.names = ["a", "a"]
        #expect(fileError { _ = try ZipArchive(HeldSecret(zip.written)) } != nil)
        zip = ZipBytes()
        // An entry inside the content of another one.
        var inner = ZipBytes()
        inner.add("b", "x")
        zip.add("a", bytes: Array(inner.written.prefix(32)))
        zip.add("b", "x")
        zip.places = [0, 31]
        #expect(fileError { _ = try ZipArchive(HeldSecret(zip.written)) } == .invalid("byte 31: entries overlap"))
    }

    @Test func `an encrypted archive is refused`() {
        var zip = ZipBytes()
        zip.flags = 1
        zip.add("a", "x")
        guard case .unsupported(let text)? = fileError({ _ = try ZipArchive(HeldSecret(zip.written)) }) else {
            Issue.record("accepted")
            return
        }
        #expect(text.contains("encrypted"))
    }

    @Test func `a wrong checksum and an unknown compression are refused`() throws {
        var zip = ZipBytes()
        zip.add("a", "x")
        zip.checksums = [0: 1]
        var archive = try ZipArchive(HeldSecret(zip.written))
        #expect(fileError { _ = try archive.content(of: archive.entries[0]) }?.description.contains("checksum") == true)
        zip.checksums = [:]
        zip.method = 12
        archive = try ZipArchive(HeldSecret(zip.written))
        #expect(
            fileError { _ = try archive.content(of: archive.entries[0]) }?.description.contains("method 12") == true
        )
    }

    @Test func `what would inflate to too much is refused before it is inflated`() {
        var zip = ZipBytes()
        zip.method = 8
        zip.add("a", "x")
        zip.byteCounts = [0: 1 << 20 + 1]
        #expect(
            fileError { _ = try ZipArchive(HeldSecret(zip.written)) }
                == .tooLarge(
                    "the archive would inflate to more than 1048576 bytes; unpack it and zip it without compression"
                )
        )
        zip.byteCounts = [0: 1 << 20]
        #expect(fileError { _ = try ZipArchive(HeldSecret(zip.written)) } == nil)
        // A larger archive: 16 times its size.
        zip.add("b", bytes: [UInt8](repeating: 0, count: 100_000))
        let limit = 16 * zip.written.count
        zip.byteCounts = [0: limit - 100_000]
        #expect(fileError { _ = try ZipArchive(HeldSecret(zip.written)) } == nil)
        zip.byteCounts = [0: limit - 100_000 + 1]
        let error = fileError { _ = try ZipArchive(HeldSecret(zip.written)) }
        #expect(error?.description.contains("more than \(limit) bytes") == true)
    }

    @Test func `a truncated archive is refused at every length`() throws {
        var zip = ZipBytes()
        zip.add("a", "hello")
        let whole = zip.written
        for count in whole.indices {
            let bytes = HeldSecret(Array(whole.prefix(count)))
            #expect(fileError { _ = try ZipArchive(bytes) } != nil, "\(count)")
        }
    }

    // The check value of CRC-32 in the catalog of parametrised CRC algorithms.
    @Test func `the checksum is the CRC-32 of zip`() {
        let digits = Array("123456789".utf8)
        #expect(Zlib.checksum(digits.span) == 0xCBF4_3926)
        #expect(Zlib.checksum(digits.span.extracting(..<0)) == 0)
    }

    // Python's `gzip`.
    @Test func `gzip is inflated within its limit`() throws {
        let stream = bytes(base64: "H4sIAAAAAAACA8tIzcnJV8hAJwHjUT2NFwAAAA==")
        #expect(try Gzip.inflated(stream.span, limit: 23)?.text == "hello hello hello hello")
        #expect(fileError { _ = try Gzip.inflated(stream.span, limit: 22) } != nil)
        for index in stream.indices where !(4...9).contains(index) {
            var damaged = stream
            damaged[index] ^= 0x11
            #expect((try? Gzip.inflated(damaged.span, limit: 1000)).flatMap(\.self)?.text == nil, "\(index)")
        }
    }
}
