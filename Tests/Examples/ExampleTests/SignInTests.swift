import Foundation
import TestSupport
import Testing

@Suite("The smallest program", .temporaryDirectory) struct SignInTests {
    @Test func `stores a password once, and finds it each time`() throws {
        let program = try ExampleProgram.built("SignIn")
        #expect(
            try program.lines() == [
                "SecItemAdd: The operation succeeded.", "SecItemCopyMatching: The operation succeeded.",
                "password: hunter2",
            ]
        )
        #expect(
            try program.lines().dropFirst() == [
                "SecItemCopyMatching: The operation succeeded.", "password: hunter2",
            ]
        )
    }
}
