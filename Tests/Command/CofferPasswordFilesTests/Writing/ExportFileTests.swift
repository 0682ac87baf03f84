import CofferBasics
import CofferPasswordFiles
import Foundation
import TestSupport
import Testing

@Suite("Coffer's own export") struct ExportFileTests {
    private func item(_ revision: String, history: String = "") throws -> ExportedItem {
        try ExportFile(JSONTree(HeldSecret(document(revision, history: history)))).item(at: 0)
    }

    private func document(_ revision: String, history: String = "") -> String {
        #"{"format":"coffer-export","version":1,"items":[{\#(revision)\#(history)}]}"#
    }

    /// The members that a revision must have, with others after them.
    private func members(_ others: String, attributes: String = "") -> String {
        #""class":"genp","group":"g","protection":"ak","synchronizable":false,"attributes":{\#(attributes)}\#(others)"#
    }

    // MARK: - The specification

    private static func example() throws -> (document: [UInt8], items: [ExportedItem]) {
        let url = Repository.root.appending(path: "Spec/export.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        let block = try #require(text.firstMatch(of: /```json\n(\{"format":(?s:.*?))```/))
        var login = ExportedItem.Revision(itemClass: "inet", group: "com.example.mail", protection: "ck")
        login.isSynchronizable = true
        // 2026-01-31T09:30:00Z is 791,544,600 seconds after the start of 2001.
        login.created = ExportedDate(secondsSinceReferenceDate: 791_544_600)
        login.modified = ExportedDate(secondsSinceReferenceDate: 791_548_200.25)
        login.written = ExportedDate(secondsSinceReferenceDate: 791_548_200.250125)
        login.attributes = [
            ("acct", .text(HeldSecret("kim"))), ("srvr", .text(HeldSecret("mail.example.com"))),
            ("port", .integer(993)),
            ("labl", .text(HeldSecret("Mail \u{1F4EE}"))), ("bin0", .bytes(HeldSecret("\0\u{1}"))),
        ]
        login.secret = HeldSecret("new \"password\"\n")
        var former = login
        former.modified = login.created
        former.written = login.created
        former.attributes.removeLast()
        former.secret = HeldSecret("old")
        var conflict = former
        conflict.modified = ExportedDate(secondsSinceReferenceDate: 791_546_400)
        conflict.written = conflict.modified
        conflict.secret = HeldSecret("other")
        var key = ExportedItem.Revision(itemClass: "keys", group: "com.example.mail", protection: "akpu")
        key.accessControl = ExportedItem.AccessControl(
            flags: 1 << 30 | 1 << 3,
            enrolled: Array(0..<32)
        )
        key.created = login.created
        key.modified = login.created
        key.attributes = [
            ("atag", .bytes(HeldSecret("tag"))), ("bsiz", .integer(256)), ("esiz", .real(256.5)), ("perm", .bool(true)),
            ("edat", .date(ExportedDate(secondsSinceReferenceDate: 1_000_000_000))),
        ]
        let bytes: [UInt8] = [0, 0xFF, 0xFE]
        key.secret = HeldSecret(copying: bytes.span)
        let items = [
            ExportedItem(login, history: [former], conflicts: [conflict]), ExportedItem(key, deleted: login.modified),
        ]
        return (Array(block.1.utf8), items)
    }

    @Test func `the example of the specification is what is written`() throws {
        let example = try Self.example()
        #expect(WrittenFile(example.items).text == String(decoding: example.document, as: UTF8.self))
    }

    @Test func `the example of the specification is read`() throws {
        let example = try Self.example()
        let tree = try JSONTree(HeldSecret(example.document))
        #expect(ExportFile.matches(tree))
        let file = try ExportFile(tree)
        #expect(try (0..<file.itemCount).map { try file.item(at: $0).summary } == example.items.map(\.summary))
    }

    // MARK: - Round trips

    @Test(arguments: UInt64(0)..<300)
    func `random items are read as they were`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let items = (0..<Int.random(in: 0...4, using: &generator)).map { _ in ExportedItem.random(using: &generator) }
        let file = try ExportFile(JSONTree(HeldSecret(WrittenFile(items).bytes)))
        #expect(try (0..<file.itemCount).map { try file.item(at: $0).summary } == items.map(\.summary))
    }

    @Test func `a secret of a mebibyte is read as it was, as text and as bytes`() throws {
        var generator = SeededGenerator(seed: 1)
        let random = (0..<1 << 20).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for bytes in [random, random.map { $0 & 0x7F }] {
            var revision = ExportedItem.Revision(itemClass: "genp", group: "", protection: "ak")
            revision.secret = HeldSecret(copying: bytes.span)
            let written = WrittenFile([ExportedItem(revision)])
            #expect(written.text.contains(bytes == random ? "\"secretBase64\":\"" : "\"secret\":\""))
            let read = try ExportFile(JSONTree(HeldSecret(written.bytes))).item(at: 0)
            #expect(read.current.secret?.array == bytes)
        }
    }

    @Test func `text that is not UTF-8 is written as bytes`() throws {
        let bytes: [UInt8] = [0x61, 0xC3]
        var revision = ExportedItem.Revision(itemClass: "genp", group: "", protection: "ak")
        revision.attributes = [("acct", .text(HeldSecret(copying: bytes.span)))]
        #expect(WrittenFile([ExportedItem(revision)]).text.contains(#""acct":{"base64":"YcM="}"#))
    }

    // MARK: - Reading

    @Test func `members may be in any order, and an empty secret differs from none`() throws {
        let reversed = #""attributes":{},"synchronizable":true,"protection":"dk","secret":"","group":"","class":"cert""#
        #expect(try item(reversed).current.secret?.array == [])
        #expect(try item(reversed).current.isSynchronizable)
        #expect(try item(members("")).current.secret == nil)
        #expect(try item(members(#","secretBase64":"""#)).current.secret?.array == [])
    }

    @Test func `an item with an error does not keep others from being read`() throws {
        let good = "{\(members(""))}"
        let tree = try JSONTree(HeldSecret(#"{"format":"coffer-export","version":1,"items":[\#(good),{},\#(good)]}"#))
        let file = try ExportFile(tree)
        #expect(file.itemCount == 3)
        #expect(throws: PasswordFileError.self) { try file.item(at: 1) }
        #expect(throws: Never.self) { try file.item(at: 2) }
    }

    @Test(arguments: [
        ("[]", "unknown"), ("{}", "unknown"), (#"{"format":"other"}"#, "unknown"),
        (#"{"format":"coffer-export"}"#, "byte 0: the member `version` is missing"),
        (
            #"{"format":"coffer-export","version":2,"items":[]}"#,
            "byte 36: the export has a version that this program does not know; use a newer one"
        ),
        (
            #"{"format":"coffer-export","version":"1","items":[]}"#,
            "byte 37: the export has a version that this program does not know; use a newer one"
        ),
        (#"{"format":"coffer-export","version":1}"#, "byte 0: the member `items` is missing"),
        (#"{"format":"coffer-export","version":1,"items":{}}"#, "byte 46: expected an array of items"),
        (#"{"format":"coffer-export","version":1,"items":[],"x":1}"#, "byte 50: unknown member"),
        (
            #"{"format":"coffer-export","version":1,"version":1,"items":[]}"#,
            "byte 39: a key occurs twice in one object"
        ),
    ])
    func `a file that is none is refused`(text: String, message: String) throws {
        let tree = try JSONTree(HeldSecret(text))
        let error = fileError { _ = try ExportFile(tree) }
        #expect(error == .unknownForm ? message == "unknown" : error?.description == message)
    }

    // The item begins at byte 47; a string begins after its quote.
    @Test(arguments: [
        (#""group":"g""#, "byte 47: the member `class` is missing"),
        (#""class":1,"group":"","protection":"","synchronizable":true,"attributes":{}"#, "byte 56: expected a string"),
        (#""class":null"#, "byte 56: expected a string"),
        (
            #""class":"","group":"","protection":"","synchronizable":1,"attributes":{}"#,
            "byte 103: expected true or false"
        ),
        (
            #""class":"","group":"","protection":"","synchronizable":true,"attributes":[]"#,
            "byte 121: expected an object with attributes"
        ),
    ])
    func `members that are missing or of another type are errors`(members: String, message: String) {
        #expect(fileError { _ = try item(members) }?.description == message)
    }

    @Test(arguments: [
        (#","x":1"#, "unknown member"), (#","history":{}"#, "expected an array of revisions"),
        (#","history":[1]"#, "expected an object"), (#","history":[{"history":[]}]"#, "unknown member"),
        (#","conflicts":1"#, "expected an array of revisions"), (#","conflicts":[{"conflicts":[]}]"#, "unknown member"),
        (#","history":[{"deleted":"2026-01-31T09:30:00Z"}]"#, "unknown member"),
        (#","deleted":true"#, "expected a date such as 2026-01-31T09:30:00Z"),
        (#","deleted":"2026-01-31T09:30:00Z","conflicts":[]"#, "`conflicts` and `deleted` exclude each other"),
        (#","secret":1"#, "expected a string"), (#","secret":null"#, "expected a string"),
        (#","secretBase64":"A""#, "expected bytes in base64"), (#","secretBase64":"A?=""#, "expected bytes in base64"),
        (#","secret":"","secretBase64":"""#, "`secret` and `secretBase64` exclude each other"),
        (#","accessControl":1"#, "expected an object"), (#","accessControl":{}"#, "the member `flags` is missing"),
        (#","accessControl":{"flags":-1}"#, "expected a number from 0 to 4,294,967,295"),
        (#","accessControl":{"flags":4294967296}"#, "expected a number from 0 to 4,294,967,295"),
        (#","accessControl":{"flags":"1"}"#, "expected a number from 0 to 4,294,967,295"),
        (#","accessControl":{"flags":1,"x":1}"#, "unknown member"),
        (#","created":true"#, "expected a date such as 2026-01-31T09:30:00Z"),
        (#","created":"""#, "expected a date such as 2026-01-31T09:30:00Z"),
        (#","modified":"2026-01-31""#, "expected a date such as 2026-01-31T09:30:00Z"),
        (#","written":1e999"#, "expected a date such as 2026-01-31T09:30:00Z"),
    ])
    func `members with invalid values are errors`(others: String, message: String) {
        #expect(fileError { _ = try item(members(others)) }?.description.hasSuffix(": \(message)") == true)
    }

    @Test(arguments: [
        ("null", "expected the value of an attribute"), ("[]", "expected the value of an attribute"),
        ("1.5", "expected a whole number of 128 bits"), ("1e3", "expected a whole number of 128 bits"),
        ("170141183460469231731687303715884105728", "expected a whole number of 128 bits"),
        ("{}", "expected an object with `base64`, `date` or `real`"), (#"{"x":1}"#, "unknown member"),
        (#"{"real":1,"date":1}"#, "expected an object with one member"), (#"{"real":"x"}"#, "expected a number"),
        (#"{"real":1e400}"#, "expected a number"), (#"{"base64":1}"#, "expected bytes in base64"),
    ])
    func `attributes with invalid values are errors`(value: String, message: String) {
        let text = members("", attributes: #""gena":\#(value)"#)
        #expect(fileError { _ = try item(text) }?.description.hasSuffix(": \(message)") == true)
    }

    @Test(arguments: ["accc", "agrp", "cdat", "mdat", "pdmn", "sync", "v_Data"])
    func `attributes that are members cannot be among the attributes`(name: String) {
        let message = "`\(name)` is not allowed here; it has a member of its own"
        let text = members("", attributes: #""\#(name)":1"#)
        #expect(fileError { _ = try item(text) }?.description.hasSuffix(message) == true)
    }

    // MARK: - Hostile files

    @Test(arguments: UInt64(0)..<20)
    func `files with random changes never crash, and errors have a place`(seed: UInt64) throws {
        let original = try Self.example().document
        var generator = SeededGenerator(seed: seed)
        let words = [
            "\"", "{", "}", "[", "]", ",", ":", "null", "true", "-1", "1e999", "\"secret\":\"x\"", "\\u0000", "\\ud800",
            "0",
            "\"history\":[", "{\"real\":", "\"2026-02-30T09:30:00Z\"", "\"base64\"", "9223372036854775808",
        ].map { Array($0.utf8) }
        for _ in 0..<100 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let start = Int.random(in: 0..<bytes.count, using: &generator)
                let end = min(bytes.count, start + Int.random(in: 0...8, using: &generator))
                switch Int.random(in: 0...3, using: &generator) {
                case 0: bytes[start] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.removeSubrange(start..<end)
                case 2: bytes.replaceSubrange(start..<end, with: words.randomElement(using: &generator) ?? [])
                default: bytes.insert(contentsOf: bytes[start..<end], at: start)
                }
                if bytes.isEmpty { bytes = original }
            }
            let error = fileError {
                let file = try ExportFile(JSONTree(HeldSecret(bytes)))
                for index in 0..<file.itemCount { _ = try file.item(at: index) }
            }
            guard let error, error != .unknownForm else { continue }
            #expect(error.description.hasPrefix("byte "), "\(error.description)")
            #expect(!error.description.contains("password"))
        }
    }
}
