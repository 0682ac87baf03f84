import Coffer
import Foundation
import TestSupport
import Testing

/// What a program is called by the file that lies beside it where Foundation looks for one too.
@Suite("The bundle of a program", .temporaryDirectory) struct BundleIdentifierTests {
    private func identifier(beside list: Data?) throws -> String? {
        let directory = try TemporaryDirectory.current
        if let list { try list.write(to: directory.appending(path: "Info.plist")) }
        return BundleIdentifier.beside(directory.appending(path: "program").path)
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

    @Test(arguments: [nil, Data(), Data("<plist>".utf8), Data("bplist00".utf8), Data(count: (1 << 20) + 1)])
    func `what is no list names none`(content: Data?) throws {
        #expect(try identifier(beside: content) == nil)
    }

    @Test func `a directory of that name names none`() throws {
        let directory = try TemporaryDirectory.current
        try FileManager.default.createDirectory(
            at: directory.appending(path: "Info.plist"),
            withIntermediateDirectories: false
        )
        #expect(BundleIdentifier.beside(directory.appending(path: "program").path) == nil)
    }
}
