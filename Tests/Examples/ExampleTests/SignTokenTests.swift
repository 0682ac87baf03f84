import Foundation
import TestSupport
import Testing

@Suite("Tokens", .temporaryDirectory) struct SignTokenTests {
    @Test func `both kinds are signed with keys that stay, and a changed token is not`() throws {
        let program = try ExampleProgram.built("SignToken")
        let first = try program.lines("kim")
        let second = try program.lines("lee")
        #expect(first.count == 4)
        // The public keys.
        #expect([first[0], first[2]] == [second[0], second[2]])
        for (token, kind) in [(first[1], "ES256"), (first[3], "RS256")] {
            #expect(token.split(separator: ".").count == 3)
            #expect(try program.lines("verify", token) == ["signed with the key for \(kind)"])
            let changed = token.replacing(".", with: ".x", maxReplacements: 1)
            #expect(try program.lines("verify", changed) == ["not signed with a key of this keychain"])
        }
    }
}
