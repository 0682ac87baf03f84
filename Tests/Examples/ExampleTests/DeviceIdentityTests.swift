import Foundation
import TestSupport
import Testing

@Suite("A device identifier", .temporaryDirectory) struct DeviceIdentityTests {
    private let program: ExampleProgram

    init() throws {
        program = try .built("DeviceIdentity")
    }

    /// The identifier in the program's output line, which must begin with `word`.
    private func identifier(_ word: String) throws -> UUID? {
        let lines = try program.lines()
        let parts = try #require(lines.first).components(separatedBy: ": ")
        #expect(lines.count == 1)
        #expect(parts.first == word)
        return parts.last.flatMap(UUID.init(uuidString:))
    }

    @Test func `is created once and stays the same`() throws {
        let first = try #require(try identifier("new"))
        #expect(try identifier("known") == first)
        #expect(try identifier("known") == first)
    }

    @Test func `is a new one after the old one was deleted`() throws {
        #expect(try program.lines("forget") == ["nothing to forget"])
        let first = try #require(try identifier("new"))
        #expect(try program.lines("forget") == ["forgotten"])
        let second = try #require(try identifier("new"))
        #expect(second != first)
        #expect(try identifier("known") == second)
    }
}
