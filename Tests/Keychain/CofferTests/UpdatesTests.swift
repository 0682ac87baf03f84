import Coffer
import TestSupport
import Testing

@Suite("Changes of an item", .temporaryDirectory) struct UpdatesTests {
    private let sample: KeychainSample
    private var keychain: Keychain { sample.keychain }

    init() throws {
        sample = try KeychainSample()
    }

    @Test func `an item is followed from before it exists until it is deleted`() async throws {
        // Another program changes the vault.
        let other = try sample.reopened()
        let login = GenericPassword(service: "mail", account: "kim")
        var texts: [String?] = []
        for await state in keychain.updates(of: GenericPassword.self, where: .service("mail")) {
            let stored = try state.get()
            texts.append(try stored.flatMap { try keychain.secretText(of: $0.reference) })
            switch texts.count {
            case 1: try other.add(login, secret: "first")
            case 2: try other.save(login, secret: "second")
            case 3: try other.deleteAll(GenericPassword.self, where: .service("mail"))
            default: break
            }
            if texts.count == 4 { break }
        }
        #expect(texts == [nil, "first", "second", nil])
    }

    @Test func `a change of another item is no element`() async throws {
        try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "x")
        var count = 0
        for await state in keychain.updates(of: GenericPassword.self, where: .service("mail")) {
            count += 1
            guard count == 1 else {
                #expect(try state.get() == nil)
                break
            }
            try keychain.add(GenericPassword(service: "bank", account: "kim"), secret: "y")
            try keychain.deleteAll(GenericPassword.self, where: .service("mail"))
        }
        #expect(count == 2)
    }

    @Test func `a locked item is a failure, not absent, and comes back`() async throws {
        try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "x")
        keychain.lock()
        var states: [Result<Bool, KeychainError>] = []
        for await state in keychain.updates(of: GenericPassword.self, where: .service("mail")) {
            states.append(state.map { $0 != nil })
            guard states.count < 2 else { break }
            try sample.unlock()
        }
        #expect(states == [.failure(.locked), .success(true)])
    }

    @Test func `a property has the item as it is now, and its changes`() async throws {
        let keychain = keychain
        @VaultItem(where: .service("mail"), in: keychain) var followed: Result<Stored<GenericPassword>?, KeychainError>
        #expect(try followed.get() == nil)
        let stored = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "x")
        #expect(try followed.get() == stored)
        for await state in $followed {
            #expect(try state.get() == stored)
            break
        }
        keychain.lock()
        #expect(followed == .failure(.locked))
    }

    @Test func `the examples`() async throws {
        let keychain = keychain
        try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "x")
        let task = Task {
            for await login in keychain.updates(of: GenericPassword.self, where: .service("mail")) {
                print(try login.get()?.modified ?? "no such item")
            }
        }
        task.cancel()
        try await task.value
        struct Login {
            @VaultItem(where: .service("mail")) var login: Result<Stored<GenericPassword>?, KeychainError>
        }
        _ = Login()
    }
}
