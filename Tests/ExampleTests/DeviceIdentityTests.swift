import Foundation
import TestSupport
import Testing

@Suite("An identifier of a device", .temporaryDirectory) struct DeviceIdentityTests {
    private let program: ExampleProgram

    init() throws {
        program = try .bare("DeviceIdentity")
    }

    /// The identifier of a line, after what the program says about it.
    private func identifier(_ word: String) throws -> UUID? {
        let lines = try program.lines()
        let parts = try #require(lines.first).components(separatedBy: ": ")
        #expect(lines.count == 1)
        #expect(parts.first == word)
        return parts.last.flatMap(UUID.init(uuidString:))
    }

    @Test func `is made once, and is the same ever after`() throws {
        let first = try #require(try identifier("new"))
        #expect(try identifier("known") == first)
        #expect(try identifier("known") == first)
    }

    @Test func `is another one once it was forgotten`() throws {
        #expect(try program.lines("forget") == ["nothing to forget"])
        let first = try #require(try identifier("new"))
        #expect(try program.lines("forget") == ["forgotten"])
        let second = try #require(try identifier("new"))
        #expect(second != first)
        #expect(try identifier("known") == second)
    }
}
