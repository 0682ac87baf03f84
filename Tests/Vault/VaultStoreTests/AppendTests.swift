import Foundation
import TestSupport
import Testing
import VaultFormat
import VaultStore

@Suite("Appending") struct AppendTests {
    @Test(.temporaryDirectory) func `an added item is found, also after reopening the vault`() throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        _ = try sample.store.transaction { transaction in
            try transaction.addLogin("kim", "mail", "sesame")
        }
        #expect(try sample.store.password("kim", "mail") == "sesame")
        #expect(try sample.store.password("kim", "shop") == nil)
        #expect(try sample.reopened().passwords() == ["kim mail sesame"])
    }
}
