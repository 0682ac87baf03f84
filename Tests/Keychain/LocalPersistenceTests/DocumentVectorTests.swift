import Coffer
import CofferTesting
import Foundation
import KeyedArchive
import LocalPersistence
import TestSupport
import Testing

/// The vectors of `Fixtures/document`, which are made without the code under test.
@Suite("Vectors of documents", .temporaryDirectory, .keychain) struct DocumentVectorTests {
    @Test func `there are vectors of intact and damaged documents`() throws {
        let values = try DocumentVector.all().map(\.value)
        #expect(values.contains(nil) && values.contains { $0 != nil })
    }

    @Test(arguments: try DocumentVector.all())
    func `a document is read, or rejected and left unchanged`(vector: DocumentVector) throws {
        let keychain = try TestKeychain.current
        let app = try PersistenceSample().app(keychain: keychain.keychain)
        let documents = app.archive.encrypted()
        let item = GenericPassword(service: "com.example.app.documents", account: "key")
        try keychain.keychain.add(item, secret: vector.key)
        // This reveals the name of the file.
        try app.archive.setObject("", named: vector.document)
        let directory = app.path + "/Archive/"
        let files = try FileManager.default.contentsOfDirectory(atPath: directory)
        let file = URL(filePath: directory + (try #require(files.first { $0.hasSuffix(".domain") })))
        try Data(vector.bytes).write(to: file)
        if let value = vector.value {
            #expect(try documents.object(named: vector.document)?.notation == value)
        } else {
            let error = #expect(throws: PersistenceError.self) { try documents.object(named: vector.document) }
            guard case .damaged(file.path, _)? = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
        }
        #expect(try Data(contentsOf: file) == Data(vector.bytes))
    }
}

/// A vector, as `Fixtures/README.md` describes it.
struct DocumentVector: Sendable, CustomTestStringConvertible {
    let name: String
    let key: [UInt8]
    let document: String
    /// The content; nil if the document must be rejected.
    let value: String?
    let bytes: [UInt8]

    var testDescription: String { name }

    static func all() throws -> [DocumentVector] {
        let keys: Set = ["expect", "key-hex", "name-hex", "value", "comment"]
        return try VectorFile.all(in: "document", keys: keys).map(DocumentVector.init)
    }

    private init(_ file: VectorFile) throws {
        let expect = try file.value("expect")
        try #require(["success", "damaged"].contains(expect) && (expect == "success") == (file.fields["value"] != nil))
        name = file.name
        key = try [UInt8](hexadecimal: file.value("key-hex"))
        document = String(decoding: try [UInt8](hexadecimal: file.value("name-hex")), as: UTF8.self)
        value = file.fields["value"]
        bytes = file.bytes
    }
}
