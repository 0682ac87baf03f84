import Security
import Testing

@testable import TokenStore

@Test func `a missing token is reported with its status`() {
    let store = TokenStore(service: "com.example.missing")
    #expect(throws: TokenStore.Failure.status(Security.errSecItemNotFound)) { try store.token(for: "kim") }
}
