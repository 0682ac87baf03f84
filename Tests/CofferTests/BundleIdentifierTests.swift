import Coffer
import Foundation
import TestSupport
import Testing

/// What a program is called by the file that lies beside it where Foundation looks for one too.
@Suite("The bundle of a program", .temporaryDirectory) struct BundleIdentifierTests {
    private func identifier(beside list: Data?) throws -> String? {
        let directory = try TemporaryDirectory.current
        if let list { try list.write(to: directory.appending(path: "Info.plist")) }
        return try BundleIdentifier.beside(directory.appending(path: "program").path)
    }

    private func list(_ content: [String: String], _ format: PropertyListSerialization.PropertyListFormat) throws
        -> Data
    {
        try PropertyListSerialization.data(fromPropertyList: content, format: format, options: 0)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `a list beside the program names its bundle`(format: PropertyListSerialization.PropertyListFormat) throws {
        let list = try list(["CFBundleIdentifier": "com.example.app", "CFBundleName": "App"], format)
        #expect(try identifier(beside: list) == "com.example.app")
    }

    @Test func `a list without the key names none`() throws {
        #expect(try identifier(beside: try list(["CFBundleName": "App"], .xml)) == nil)
    }

    @Test func `where there is no list, there is no name`() throws {
        #expect(try identifier(beside: nil) == nil)
    }

    /// Taken for none, it would give the program another access group, in which nothing is.
    @Test(arguments: [Data(), Data("<plist>".utf8), Data("bplist00".utf8), Data(count: (1 << 20) + 1)])
    func `a list that cannot be understood is an error that names the file`(content: Data) throws {
        let error = try #require(throws: EntitlementsError.self) { try identifier(beside: content) }
        #expect(error.file?.hasSuffix("/Info.plist") == true)
    }

    @Test func `a directory of that name is an error`() throws {
        let directory = try TemporaryDirectory.current
        try FileManager.default.createDirectory(
            at: directory.appending(path: "Info.plist"),
            withIntermediateDirectories: false
        )
        #expect(throws: EntitlementsError.self) {
            try BundleIdentifier.beside(directory.appending(path: "program").path)
        }
    }
}
