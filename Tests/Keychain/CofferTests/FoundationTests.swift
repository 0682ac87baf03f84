import Coffer
import CofferFoundation
import Foundation
import TestSupport
import Testing

@Suite("Foundation", .temporaryDirectory) struct FoundationTests {
    @Test(arguments: [0, 1, -1, 0.001, 978_307_200, -978_307_200, 1e12])
    func `dates convert to Foundation and back`(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(KeychainDate(date).secondsSince1970 == date.timeIntervalSince1970)
        #expect(Date(KeychainDate(date)) == date)
    }

    @Test(arguments: [Data(), Data("hunter2".utf8), Data("say hunter2".utf8).dropFirst(4)])
    func `a secret can be given as data`(secret: Data) throws {
        let keychain = try KeychainSample().keychain
        let login = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: secret)
        #expect(try keychain.secret(of: login.reference) == Array(secret))
    }
}
