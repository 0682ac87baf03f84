import Coffer
import Foundation
import TestSupport
import Testing

/// The bundle identifier in the `Info.plist` next to a program, where Foundation looks for it too.
@Suite("Bundle identifiers", .temporaryDirectory) struct BundleIdentifierTests {
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
    func `the property list next to a program names its bundle`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let list = try list(["CFBundleIdentifier": "com.example.app", "CFBundleName": "App"], format)
        #expect(try identifier(beside: list) == "com.example.app")
    }

    @Test func `a property list without the key names no bundle`() throws {
        #expect(try identifier(beside: try list(["CFBundleName": "App"], .xml)) == nil)
    }

    @Test func `without a property list there is no bundle identifier`() throws {
        #expect(try identifier(beside: nil) == nil)
    }

    /// Treated as missing, the list would put the program into another access group, which has no items.
    @Test(arguments: [Data(), Data("<plist>".utf8), Data("bplist00".utf8), Data(count: (1 << 20) + 1)])
    func `an invalid property list is an error that names the file`(content: Data) throws {
        let error = try #require(throws: EntitlementsError.self) { try identifier(beside: content) }
        #expect(error.file?.hasSuffix("/Info.plist") == true)
    }

    @Test func `a directory in place of the property list is an error`() throws {
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
