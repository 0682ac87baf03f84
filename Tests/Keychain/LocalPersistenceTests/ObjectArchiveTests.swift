import Coffer
import CofferTesting
import Foundation
import KeyedArchive
import LocalPersistence
import TestSupport
import Testing

@Suite("Documents", .temporaryDirectory) struct ObjectArchiveTests {
    private struct Note: Codable, Equatable, Sendable {
        var title: String
        var lines: [String]
        var date: Date
    }

    private let sample: PersistenceSample
    private let archive: ObjectArchive
    private let note = Note(
        title: "Shopping",
        lines: ["coffee", "\u{0}"],
        date: Date(timeIntervalSinceReferenceDate: 1.5)
    )
    private let key = PersistenceKey<Note>("note")

    init() throws {
        sample = try PersistenceSample()
        archive = try sample.app().archive
    }

    private func file(_ name: String) -> URL { URL(filePath: sample.path("com.example.app/Archive/\(name)")) }

    @Test func `a value is read back until it is removed`() throws {
        #expect(try archive.value(for: key) == nil)
        try archive.set(note, for: key)
        #expect(try sample.app().archive.value(for: key) == note)
        #expect(sample.has("com.example.app/Archive/note.domain"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file("note.domain").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try archive.remove(key)
        try archive.remove(key)
        #expect(try archive.value(for: key) == nil)
        #expect(try archive.names() == [])
    }

    @Test(arguments: [
        ("note", "note"), ("../x", "%2E.%2Fx"), ("a\0b", "a%00b"), (".", "%2E"), ("v1.2-a_b", "v1.2-a_b"),
        ("%41", "%2541"), ("ü", "%C3%BC"), ("a b", "a%20b"), (".lock", "%2Elock"),
    ])
    func `a key is encoded as a file name and decoded from it`(name: String, file: String) throws {
        try archive.set(note, for: PersistenceKey<Note>(name))
        #expect(FileManager.default.fileExists(atPath: self.file(file + ".domain").path))
        #expect(try archive.names() == [name])
        #expect(try archive.value(for: PersistenceKey<Note>(name)) == note)
        // Nothing was created outside.
        #expect(try FileManager.default.contentsOfDirectory(atPath: sample.directory.path) == ["com.example.app"])
    }

    @Test func `a key that does not fit a file name is an error`() throws {
        for name in ["", String(repeating: "x", count: 300), String(repeating: "/", count: 81)] {
            let error = PersistenceError.invalidKey(name, byteCountLimit: ObjectArchive.keyByteCountLimit)
            #expect(throws: error) { try archive.set(note, for: PersistenceKey<Note>(name)) }
            #expect(throws: error) { try archive.value(for: PersistenceKey<Note>(name)) }
        }
        let longest = PersistenceKey<Note>(String(repeating: "x", count: 240))
        try archive.set(note, for: longest)
        #expect(try archive.value(for: longest) == note)
    }

    @Test func `files not named after a key are left alone`() throws {
        try archive.set(note, for: key)
        for name in ["other.txt", "%zz.domain", "%6Eote.domain", "%c3%bc.domain", ".domain", "%FF.domain"] {
            try Data("x".utf8).write(to: file(name))
        }
        #expect(try archive.names() == ["note"])
    }

    @Test func `a file of another type, or not an archive, causes an error and is kept`() throws {
        try archive.set(note, for: key)
        #expect(throws: PersistenceError.cannotDecode("Int")) { try archive.value(for: PersistenceKey<Int>("note")) }
        #expect(try archive.value(for: key) == note)
        try Data("no archive".utf8).write(to: file("note.domain"))
        for read in [{ _ = try archive.value(for: key) }, { _ = try archive.object(named: "note") }] {
            let error = #expect(throws: PersistenceError.self) { try read() }
            guard case .damaged(file("note.domain").path, _)? = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
        }
        #expect(try Data(contentsOf: file("note.domain")) == Data("no archive".utf8))
        // A file of one terabyte is not read.
        try FileHandle(forWritingTo: file("note.domain")).truncate(atOffset: 1 << 40)
        #expect(throws: PersistenceError.self) { try archive.value(for: key) }
    }

    @Test func `removing a document removes its temporary file`() throws {
        try archive.set(note, for: key)
        // A process that is killed while writing leaves such a file.
        try Data("secret".utf8).write(to: file(".note.domain.tmp"))
        try archive.remove(key)
        let names = try FileManager.default.contentsOfDirectory(atPath: sample.path("com.example.app/Archive"))
        #expect(names.sorted() == [".lock", ".turn"])
    }

    /// The vector has the layout that Apple's archivers write (Spec/keyed-archive.md, section 5).
    @Test func `a graph of objects is read from a copied file, and written`() throws {
        let vectors = Repository.root.appending(path: "Fixtures/archive")
        let bytes = try [UInt8](Data(contentsOf: vectors.appending(path: "dictionary")))
        let start = try #require(bytes.firstRange(of: Array("bplist00".utf8))?.lowerBound)
        try archive.set(note, for: key)
        try Data(bytes[start...]).write(to: file("from%20a%20Mac.domain"))
        let object = try #require(try archive.object(named: "from a Mac"))
        #expect(object == (try ArchiveValue(archive: Array(bytes[start...]))))
        try archive.setObject(object, named: "copy")
        #expect(try archive.object(named: "copy") == object)
        #expect(try archive.object(named: "nothing") == nil)
    }

    @Test func `archives are exchanged with Foundation's archiver in both directions`() throws {
        let graph: NSDictionary = ["name": "Kim", "ages": [7, 8], "when": Date(timeIntervalSinceReferenceDate: 2.5)]
        try archive.set(note, for: key)
        let data = try NSKeyedArchiver.archivedData(withRootObject: graph, requiringSecureCoding: true)
        try data.write(to: file("graph.domain"))
        let object = try #require(try archive.object(named: "graph"))
        #expect(object["name"] == .string("Kim"))
        #expect(object["ages"] == .array([.integer(7), .integer(8)]))
        #expect(object["when"] == .date(secondsSinceReferenceDate: 2.5))
        try archive.setObject(object, named: "again")
        let classes = [NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self]
        let bytes = try Data(contentsOf: file("again.domain"))
        let again = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: bytes) as? NSDictionary
        #expect(again == graph)
    }

    /// The layout is that of `CKRecord.encodeSystemFields(with:)`, which writes no root.
    @Test func `several named objects are read and written`() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode("Kim" as NSString, forKey: "name")
        archiver.encode(12, forKey: "logins")
        archiver.finishEncoding()
        try archive.set(note, for: key)
        try archiver.encodedData.write(to: file("fields.domain"))
        #expect(throws: PersistenceError.self) { try archive.object(named: "fields") }
        // The file is intact but holds something else.
        #expect(throws: PersistenceError.cannotDecode("Note")) {
            try archive.value(for: PersistenceKey<Note>("fields"))
        }
        let fields = try #require(try archive.objects(named: "fields"))
        #expect(fields.top["name"] == .reference("Kim"))
        #expect(fields.top["logins"] == .inline(12))
        try archive.setObjects(fields, named: "copy")
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(contentsOf: file("copy.domain")))
        #expect(unarchiver.decodeObject(of: NSString.self, forKey: "name") == "Kim")
        #expect(unarchiver.decodeInteger(forKey: "logins") == 12)
        #expect(try archive.objects(named: "nothing") == nil)
    }

    @Test func `an archive in XML is read`() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormat = .xml
        archiver.encode(["name": "Kim"] as NSDictionary, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        try archive.set(note, for: key)
        let bytes = archiver.encodedData
        #expect(bytes.starts(with: Data("<?xml".utf8)))
        try bytes.write(to: file("graph.domain"))
        #expect(try archive.object(named: "graph") == ["name": "Kim"])
        #expect(try archive.value(for: PersistenceKey<[String: String]>("graph")) == ["name": "Kim"])
    }

    // MARK: - Encryption

    @Test func `an encrypted document reveals nothing and opens with the key in the vault`() throws {
        let encrypted = archive.encrypted()
        try encrypted.set(note, for: key)
        let bytes = try [UInt8](Data(contentsOf: file("note.domain")))
        // Spec/local-persistence.md, section 5.
        #expect(bytes.starts(with: [0x89, 0x43, 0x4F, 0x46, 0x44, 0x0D, 0x1A, 0x0A]))
        #expect((bytes.count - 8).isMultiple(of: 64))
        for word in ["Shopping", "coffee", "bplist"] { #expect(!bytes.contains(Array(word.utf8))) }
        #expect(try sample.app().archive.encrypted().value(for: key) == note)
        #expect(throws: PersistenceError.encrypted(path: file("note.domain").path)) { try archive.value(for: key) }
    }

    @Test func `an encrypted document opens only complete and under its own name`() throws {
        let encrypted = archive.encrypted()
        try encrypted.set(note, for: key)
        let bytes = try Data(contentsOf: file("note.domain"))
        try bytes.write(to: file("other.domain"))
        #expect(throws: PersistenceError.self) { try encrypted.value(for: PersistenceKey<Note>("other")) }
        for index in [8, 40, bytes.count - 1] {
            var changed = bytes
            changed[index] ^= 1
            try changed.write(to: file("note.domain"))
            #expect(throws: PersistenceError.self) { try encrypted.value(for: key) }
        }
        for count in [8, 9, 72, bytes.count - 64] {
            try bytes.prefix(count).write(to: file("note.domain"))
            #expect(throws: PersistenceError.self) { try encrypted.value(for: key) }
        }
        try bytes.write(to: file("note.domain"))
        #expect(try encrypted.value(for: key) == note)
    }

    @Test func `an unencrypted document is readable, and is encrypted when it is written again`() throws {
        try archive.set(note, for: key)
        let encrypted = archive.encrypted()
        #expect(try encrypted.value(for: key) == note)
        try encrypted.set(note, for: key)
        #expect(try Data(contentsOf: file("note.domain")).first == 0x89)
    }

    // A process that waited for a passphrase once held the lock of the documents all the time.
    @Test(.keychain) func `others can write while the vault is being opened`() throws {
        let test = try TestKeychain.current
        let encrypted = try sample.app(keychain: test.keychain).archive.encrypted()
        let (other, key) = (try sample.app { $0.lockNanoseconds = 0 }.archive, PersistenceKey<Int>("other"))
        test.fail(
            .slow(.zero) { _ in
                do { try other.set(1, for: key) } catch { Issue.record(error) }
            },
            on: .nextCall
        )
        try encrypted.set(note, for: self.key)
        #expect(try other.value(for: key) == 1)
        #expect(try encrypted.value(for: self.key) == note)
    }

    @Test func `others can write while the vault is being created`() throws {
        let (other, key) = (try sample.app { $0.lockNanoseconds = 0 }.archive, PersistenceKey<Int>("other"))
        // The notice comes when the vault exists and is empty.
        let first = try PersistenceSample { _ in
            do { try other.set(1, for: key) } catch { Issue.record(error) }
        }
        try first.app().archive.encrypted().set(note, for: self.key)
        #expect(try other.value(for: key) == 1)
    }

    // MARK: - The accessibility of the key

    private static let passphraseNeeded = PersistenceError.keychain(.noPassphrase)

    /// The accessibility of each key of the documents.
    private func accessibilities(in keychain: Keychain) throws -> [Accessibility?] {
        try keychain.items(GenericPassword.self, where: .service("com.example.app.documents")).map(\.accessibility)
    }

    @Test(.keychain(hasPassphrase: true), arguments: [nil] + Accessibility.allCases)
    func `a new key has the chosen accessibility, else after the first unlock`(chosen: Accessibility?) throws {
        let keychain = try TestKeychain.current.keychain
        let encrypted = try sample.app(keychain: keychain).archive.encrypted(accessibility: chosen)
        try encrypted.set(note, for: key)
        #expect(try accessibilities(in: keychain) == [chosen ?? .afterFirstUnlock])
        #expect(try encrypted.value(for: key) == note)
    }

    @Test(.keychain) func `an existing key changes to the chosen accessibility, else keeps its own`() throws {
        let keychain = try TestKeychain.current.keychain
        let archive = try sample.app(keychain: keychain).archive
        try archive.encrypted(accessibility: .always).set(note, for: key)
        let strict = archive.encrypted(accessibility: .whenUnlocked)
        #expect(try strict.value(for: key) == note)
        #expect(try accessibilities(in: keychain) == [.always])
        try strict.set(note, for: PersistenceKey<Note>("other"))
        #expect(try accessibilities(in: keychain) == [.whenUnlocked])
        try archive.encrypted().set(note, for: PersistenceKey<Note>("third"))
        #expect(try accessibilities(in: keychain) == [.whenUnlocked])
        #expect(try archive.encrypted().value(for: key) == note)
    }

    @Test(.keychain) func `while the key or its new accessibility is locked, nothing is written or made`() throws {
        let test = try TestKeychain.current
        let archive = try sample.app(keychain: test.keychain).archive
        let (open, strict) = (archive.encrypted(), archive.encrypted(accessibility: .whenUnlocked))
        let (locked, other) = (PersistenceError.keychain(.locked), PersistenceKey<Note>("other"))
        try open.set(note, for: key)
        test.lock()
        #expect(throws: locked) { try strict.set(note, for: other) }
        #expect(try open.value(for: key) == note)
        try test.unlock()
        try strict.set(note, for: key)
        test.lock()
        for documents in [open, strict] {
            #expect(throws: locked) { try documents.value(for: key) }
            #expect(throws: locked) { try documents.set(note, for: other) }
        }
        try test.unlock()
        #expect(try archive.names() == ["note"])
        #expect(try accessibilities(in: test.keychain) == [.whenUnlocked])
        #expect(try open.value(for: key) == note)
    }

    @Test(arguments: [false, true])
    func `a passcode class in a vault without a passphrase is an error, and nothing is written`(hasKey: Bool) throws {
        if hasKey { try archive.encrypted().set(note, for: key) }
        let encrypted = archive.encrypted(accessibility: .whenPasscodeSetThisDeviceOnly)
        #expect(throws: Self.passphraseNeeded) { try encrypted.set(note, for: PersistenceKey<Note>("other")) }
        #expect(Self.passphraseNeeded.description.contains("requires a passphrase"))
        #expect(try archive.names() == (hasKey ? ["note"] : []))
        #expect(try accessibilities(in: sample.keychain) == (hasKey ? [.afterFirstUnlock] : []))
    }

    @Test func `a lost key is not replaced while documents need it`() throws {
        let encrypted = archive.encrypted()
        try encrypted.set(note, for: key)
        try sample.keychain.deleteAll(GenericPassword.self, where: .service("com.example.app.documents"))
        let lost = PersistenceError.keyMissing(service: "com.example.app.documents")
        #expect(throws: lost) { try encrypted.value(for: key) }
        #expect(throws: lost) { try encrypted.set(note, for: PersistenceKey<Note>("new")) }
        #expect(try archive.names() == ["note"])
        try encrypted.remove(key)
        try encrypted.set(note, for: PersistenceKey<Note>("new"))
        #expect(try encrypted.value(for: PersistenceKey<Note>("new")) == note)
    }
}

extension [UInt8] {
    fileprivate func contains(_ bytes: [UInt8]) -> Bool { firstRange(of: bytes) != nil }
}
