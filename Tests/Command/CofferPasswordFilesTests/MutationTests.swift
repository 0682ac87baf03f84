import CofferBasics
import CofferPasswordFiles
import Foundation
import TestSupport
import Testing

/// Changes whole files, and the parts of them that each reader reads; no change may crash it.
@Suite("Changed password files") struct MutationTests {
    /// How many changed files each reader gets.
    static let count = Trials.count(300, whole: 2_000)

    private func changed(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        let special =
            Array("\"',;\\\n\r\t{}[]<>/&#:=?%+-0\0\u{FF}PK".utf8) + [0xFF, 0xFE, 0xEF, 0xBB, 0xBF, 0x80, 0xC3]
        for _ in 0...Int.random(in: 0...2, using: &generator) {
            guard let place = bytes.indices.randomElement(using: &generator) else { return bytes }
            switch Int.random(in: 0..<16, using: &generator) {
            case 0: bytes.removeSubrange(place...)
            case 1: bytes.removeSubrange(..<place)
            case 2...4: bytes[place] ^= 1 << Int.random(in: 0..<8, using: &generator)
            case 5...7: bytes[place] = special.randomElement(using: &generator) ?? 0
            case 8...10: bytes.insert(special.randomElement(using: &generator) ?? 0, at: place)
            case 11...13: bytes.remove(at: place)
            default:
                let end = min(bytes.count, place + Int.random(in: 0..<64, using: &generator))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            }
        }
        return bytes
    }

    private func forEachChange(of seeds: [[UInt8]], _ body: ([UInt8]) throws -> Void) rethrows {
        var generator = SeededGenerator(seed: 1)
        for number in 0..<Self.count { try body(changed(seeds[number % seeds.count], &generator)) }
    }

    private static func names(in directory: String) -> [String] {
        let path = Samples.directory.appending(path: directory).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0 != "Archives" }.sorted()
    }

    static let names = names(in: "")
    static let documents = names(in: "Archives")

    @Test(arguments: names) func `whole files: no record has more than the file`(name: String) throws {
        var readCount = 0
        try forEachChange(of: [Samples.bytes(name)]) { bytes in
            guard let file = try? PasswordFile.read(HeldSecret(bytes), name: name) else { return }
            readCount += 1
            #expect(file.records.count <= bytes.count)
            // Nothing is taken twice, except what is ambiguous, and the label of a code.
            let taken = file.records.reduce(0) { $0 + $1.byteCount }
            #expect(taken <= 4 * bytes.count + 256, "\(taken) of \(bytes.count)")
        }
        #expect(readCount > Self.count / 20)
    }

    @Test(arguments: documents) func `documents of archives: no record has more than the document`(name: String) throws
    {
        var readCount = 0
        try forEachChange(of: [Samples.bytes("Archives/" + name)]) { bytes in
            var zip = ZipBytes()
            zip.add("export.data", bytes: bytes)
            guard let file = try? PasswordFile.read(HeldSecret(zip.written), name: "a.1pux") else { return }
            readCount += 1
            #expect(file.records.count <= bytes.count)
            let taken = file.records.reduce(0) { $0 + $1.byteCount }
            #expect(taken <= 4 * bytes.count + 256, "\(taken) of \(bytes.count)")
        }
        #expect(readCount > Self.count / 20)
    }

    @Test func `entries of password stores: a record has no more than its entry`() {
        let seeds = [
            "pw\nuser: a\nurl: https://b\notpauth://totp/C?secret=JBSWY3DP\nfree text\ntotp: MFRGG\n",
            "pw\ntext\n---\na: |\n  b\n   c\nd: \"e\\n\"\nf:\n- g\nuser: 'h''i'\n...\n",
            "GOPASS-SECRET-1.0\nPassword: pw\nUser: a\n\nbody\n",
            "\nContent-Disposition: attachment; filename=\"a\"\nContent-Transfer-Encoding: Base64\n\naGVsbG8=\n",
        ]
        forEachChange(of: seeds.map { Array($0.utf8) }) { bytes in
            for program in [PasswordStoreEntry.Program.pass, .gopass] {
                let entry = HeldSecret(copying: bytes.span)
                let record = PasswordStoreEntry.record(of: entry, path: "a/b", program: program)
                // A generator is written with all of its parameters.
                #expect(record.byteCount <= 2 * bytes.count + 100 * (record.oneTimePasswords.count + 1))
            }
        }
    }

    @Test func `JSON: every value of a changed document can be decoded`() {
        var readCount = 0
        let seed = #"{"a": [1, -2.5e3, "x\n\u00e4\ud83d\ude00", null, true], "b": {"c": "", "a\u0062": [[], {}]}}"#
        forEachChange(of: [Array(seed.utf8)]) { bytes in
            guard let tree = try? JSONTree(HeldSecret(bytes)) else { return }
            readCount += 1
            #expect(byteCount(of: tree.root) <= 16 * bytes.count)
            _ = tree.duplicateKeyOffset
        }
        #expect(readCount > Self.count / 50)
    }

    private func byteCount(of node: JSONNode) -> Int {
        _ = (node.integer, node.isTrue, node.isEmpty, node["a"]?.offset)
        return (node.secret?.byteCount ?? 0) + node.source.byteCount
            + node.elements.reduce(0) { $0 + byteCount(of: $1) }
            + node.members.reduce(0) { $0 + $1.name.utf8.count + byteCount(of: $1.value) }
    }

    @Test func `XML: every element of a changed document can be decoded`() {
        var readCount = 0
        let seed =
            "<?xml version='1.0'?><a b='1' c=\"&lt;\"><d>x&amp;y&#65;</d><!-- e --><d/><f><![CDATA[<g>]]>\r\n</f></a>"
        forEachChange(of: [Array(seed.utf8)]) { bytes in
            guard let tree = try? XMLTree(HeldSecret(bytes)) else { return }
            readCount += 1
            #expect(byteCount(of: tree.root) <= 2 * bytes.count)
        }
        #expect(readCount > Self.count / 20)
    }

    private func byteCount(of node: XMLNode) -> Int {
        _ = (node.attribute("b"), node["d"]?.offset)
        return node.secret.byteCount + node.name.utf8.count + node.children.reduce(0) { $0 + byteCount(of: $1) }
    }

    @Test func `CSV: every cell of a changed file can be decoded`() throws {
        var readCount = 0
        try forEachChange(of: Self.names.filter { $0.hasSuffix(".csv") }.map(Samples.bytes)) { bytes in
            guard let table = try? CSVTable(HeldSecret(bytes)) else { return }
            readCount += 1
            var taken = 0
            for row in table.rows {
                #expect(row.line > 0 && row.line <= bytes.count + 1)
                for column in table.header.indices { taken += row[column]?.secret.byteCount ?? 0 }
            }
            #expect(taken <= bytes.count)
        }
        #expect(readCount > Self.count / 2)
    }

    @Test func `zip: every entry of a changed archive is read or refused`() throws {
        var readCount = 0
        var stored = ZipWriter()
        stored.add("a.csv", HeldSecret("name,url,username,password\na,b,c,d\n"))
        stored.add("b/c.txt", HeldSecret("text"))
        var wide = ZipBytes()
        wide.is64 = true
        wide.add("a", "hello")
        try forEachChange(of: [stored.written().array, wide.written, ZipBytes.deflated]) { bytes in
            guard let archive = try? ZipArchive(HeldSecret(bytes)) else { return }
            readCount += 1
            for entry in archive.entries {
                if let content = try? archive.content(of: entry) { #expect(content.byteCount == entry.byteCount) }
            }
            _ = try? PasswordFile.read(HeldSecret(bytes), name: "file.zip")
        }
        #expect(readCount > Self.count / 20)
    }

    @Test func `one-time passwords: a URI that is read is written, and read again as it is`() {
        var readCount = 0
        let seeds = [
            "otpauth://totp/A%20B:c?secret=JBSWY3DP&issuer=A+B&algorithm=SHA256&digits=8&period=60&x=1",
            "otpauth://hotp/a?secret=JBSWY3DP&counter=42", "steam://JBSWY3DP", "jbsw y3dp-ehpk====",
            "key=JBSWY3DP&size=8&step=60&otpHashMode=Sha512&type=Totp",
        ]
        forEachChange(of: seeds.map { Array($0.utf8) }) { bytes in
            guard let generator = try? OneTimePasswordURI(bytes.span) else { return }
            readCount += 1
            let text = generator.text
            let again = text.withSpan { try? OneTimePasswordURI($0) }
            #expect(again?.text == text, "\(String(decoding: bytes, as: UTF8.self))")
            #expect(again?.secret == generator.secret)
        }
        #expect(readCount > Self.count / 20)
    }

    @Test func `encodings and dates: any text is decoded or is none`() {
        let seeds = ["JBSWY3DPEHPK3PXP", "aGVsbG8gd29ybGQ=", "00ff7F", "2026-01-31T12:30:15.5+01:00", "1+wP4Q4AAAA="]
        forEachChange(of: seeds.map { Array($0.utf8) }) { bytes in
            for decode in [Encodings.base32, Encodings.base64, Encodings.hexadecimal] {
                #expect(decode(bytes.span)?.byteCount ?? 0 <= bytes.count)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            for date in [FileDate.text(text), FileDate.iso8601(text), FileDate.keePass(text)] {
                #expect(date ?? 0 >= 0 && date ?? 0 <= 253_402_300_799)
            }
            _ = try? Gzip.inflated(bytes.span, limit: 1 << 20)
        }
    }
}

extension PasswordRecord {
    /// How many bytes all texts and secrets have, without those of messages.
    fileprivate var byteCount: Int {
        let texts = [title, account, realm] + sites + folders + tags + fields.map(\.name)
        let secrets = [secret, notes].compactMap(\.self) + oneTimePasswords + fields.map(\.value)
        return texts.reduce(0) { $0 + $1.utf8.count } + secrets.reduce(0) { $0 + $1.byteCount }
    }
}
