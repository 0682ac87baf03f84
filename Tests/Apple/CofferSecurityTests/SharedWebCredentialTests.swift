import Foundation
import Security
import Testing

@Suite("Shared web credentials") struct SharedWebCredentialTests {
    @Test func `adding a password is not supported`() {
        var code: Int?
        SecAddSharedWebCredential("example.test", "kim", "secret") { code = $0?.code }
        #expect(code == Int(errSecUnimplemented))
    }

    @Test func `requesting a password is not supported`() {
        var answers: [(CFArray?, CFError?)] = []
        SecRequestSharedWebCredential(nil, nil) { answers.append(($0, $1)) }
        #expect(answers.count == 1)
        #expect(answers.first?.0 == nil)
        #expect(answers.first?.1?.code == Int(errSecUnimplemented))
    }

    @Test(arguments: 0..<50)
    func `a new password has letters and digits in four groups`(attempt: Int) throws {
        let password = try #require(SecCreateSharedWebCredentialPassword() as String?)
        #expect(password.wholeMatch(of: /(?:[a-zA-Z3-9]{3}-){3}[a-zA-Z3-9]{3}/) != nil)
        #expect(password.contains { $0.isUppercase })
        #expect(password.contains { $0.isLowercase })
        #expect(password.contains { $0.isNumber })
        #expect(password != SecCreateSharedWebCredentialPassword() as String?)
    }
}
