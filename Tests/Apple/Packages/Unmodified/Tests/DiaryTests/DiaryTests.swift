import InstanceKeychain
import StaticKeychain
import Testing

@Test func `a removed key is missing`() throws {
    let keychain = Keychain(service: "com.example.diary.tests")
    keychain["kim"] = "hunter2"
    keychain["kim"] = nil
    #expect(try keychain.data(for: "kim") == nil)
}

@Test func `a value of another type is not loaded`() {
    StaticKeychain.save("text", for: "typed")
    #expect(StaticKeychain.load(Int.self, for: "typed") == nil)
    #expect(StaticKeychain.load(String.self, for: "typed") == "text")
}
