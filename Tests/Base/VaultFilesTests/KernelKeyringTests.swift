import Glibc
import TestSupport
import Testing
import VaultFiles

/// What the store requests from the kernel, and in which order.
@Suite("Kernel keyring") struct KernelKeyringTests {
    private let time = ManualTime()
    private let kernel: SimulatedKeys
    private let keyring: KernelKeyring

    init() {
        kernel = SimulatedKeys(time: time)
        keyring = KernelKeyring(calls: kernel)
    }

    private func store(_ text: String, as description: String = "vault", seconds: UInt32 = 60) throws {
        try keyring.store(Array(text.utf8).span, as: description, seconds: seconds)
    }

    @Test func `a stored value can be read`() throws {
        try store("keys")
        #expect(try keyring.text("vault") == "keys")
        #expect(try keyring.text("other vault") == nil)
    }

    @Test func `a key has its timeout and permissions before others can find it`() throws {
        try store("keys", seconds: 300)
        #expect(
            kernel.calls == [
                .add(.thread), .setTimeout(seconds: 300), .setPermissions(.readable), .link(.user), .unlink(.thread),
            ]
        )
        #expect(!kernel.hasExposedUnexpiringKey)
    }

    @Test func `a key that is stored again expires later, and was never without a timeout`() throws {
        try store("keys", seconds: 60)
        time.advance(nanoseconds: 50_000_000_000)
        try store("newer keys", seconds: 60)
        time.advance(nanoseconds: 50_000_000_000)
        #expect(try keyring.text("vault") == "newer keys")
        #expect(!kernel.hasExposedUnexpiringKey)
        #expect(kernel.keyCount == 1)
    }

    @Test func `a key exists until its timeout`() throws {
        try store("keys", seconds: 60)
        time.advance(nanoseconds: 59_999_999_999)
        #expect(try keyring.text("vault") == "keys")
        time.advance(nanoseconds: 1)
        #expect(try keyring.text("vault") == nil)
        #expect(try !keyring.remove("vault"))
    }

    @Test(arguments: [
        SimulatedKeys.Call.setTimeout(seconds: 60), .setPermissions(.readable), .link(.user),
    ])
    func `a key that cannot be set up completely is not left behind`(call: SimulatedKeys.Call) {
        kernel.fail(call, with: EACCES)
        #expect(throws: KeyringFailure.denied) { try store("keys") }
        #expect(kernel.keyCount == 0)
    }

    @Test func `a key that could not be replaced stays`() throws {
        try store("keys")
        kernel.fail(.add(.thread), with: EDQUOT)
        #expect(throws: KeyringFailure.quotaExceeded) { try store("newer keys") }
        #expect(try keyring.text("vault") == "keys")
    }

    @Test(
        arguments: [
            (ENOSYS, .notSupported), (EOPNOTSUPP, .notSupported), (EPERM, .denied), (EACCES, .denied),
            (EDQUOT, .quotaExceeded), (ENOMEM, .outOfMemory), (EIO, .other(EIO)),
        ] as [(Int32, KeyringFailure)]
    )
    func `a refusal of the kernel is reported`(number: Int32, failure: KeyringFailure) throws {
        kernel.fail(.add(.thread), with: number)
        kernel.fail(.search, with: number, count: 2)
        #expect(throws: failure) { try store("keys") }
        #expect(throws: failure) { try keyring.text("vault") }
        #expect(throws: failure) { try keyring.remove("vault") }
    }

    @Test(arguments: [ENOKEY, EKEYEXPIRED, EKEYREVOKED]) func `an invalidated key is absent`(number: Int32) throws {
        try store("keys")
        kernel.fail(.search, with: number, count: 2)
        #expect(try keyring.text("vault") == nil)
        #expect(try !keyring.remove("vault"))
        kernel.fail(.invalidate, with: number)
        #expect(try !keyring.remove("vault"))
    }

    @Test func `a key that is replaced between search and read is searched again`() throws {
        try store("keys")
        kernel.fail(.read, with: EKEYREVOKED, count: 3)
        #expect(try keyring.text("vault") == "keys")
    }

    @Test func `a key that is replaced four times counts as absent`() throws {
        try store("keys")
        kernel.fail(.read, with: ENOKEY, count: 4)
        #expect(try keyring.text("vault") == nil)
    }

    @Test func `a key that may be found but not read is denied`() throws {
        try store("keys")
        kernel.fail(.read, with: EACCES)
        #expect(throws: KeyringFailure.denied) { try keyring.text("vault") }
    }

    @Test func `a removed key is absent`() throws {
        try store("keys")
        try store("others", as: "other vault")
        #expect(try keyring.remove("vault"))
        #expect(try !keyring.remove("vault"))
        #expect(try keyring.text("vault") == nil)
        #expect(try keyring.text("other vault") == "others")
    }

    @Test func `a value that is too large is refused before the kernel is called`() throws {
        let most = [UInt8](repeating: 1, count: 32_767)
        try keyring.store(most.span, as: "vault", seconds: 1)
        let count = kernel.calls.count
        #expect(throws: KeyringFailure.tooLarge(byteCount: 32_768)) {
            try keyring.store((most + [1]).span, as: "vault", seconds: 1)
        }
        #expect(kernel.calls.count == count)
    }

    @Test func `a value that does not fit the reader's buffer is reported`() throws {
        try store("keys")
        #expect(throws: KeyringFailure.tooLarge(byteCount: 4)) { try keyring.text("vault", byteCountLimit: 3) }
        #expect(try keyring.text("vault", byteCountLimit: 4) == "keys")
    }

    @Test func `a key without a timeout is a programming error`() async {
        await #expect(processExitsWith: .failure) {
            try KernelKeyring(calls: SimulatedKeys()).store([1].span, as: "vault", seconds: 0)
        }
    }

    /// The kernel's user keyring is that of the real user, who could read there what a set-user-ID program has opened.
    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `a program with the rights of another user than the one who started it uses no keyring`() async {
        await #expect(processExitsWith: .success) {
            try #require(seteuid(65534) == 0)
            let keyring = KernelKeyring(calls: SimulatedKeys())
            try #require(throws: KeyringFailure.denied) { try keyring.store([1].span, as: "vault", seconds: 60) }
            try #require(throws: KeyringFailure.denied) { try keyring.remove("vault") }
        }
    }

    @Test func `a message says what to do`() {
        #expect("\(KeyringFailure.tooLarge(byteCount: 40_000))".contains("40,000 bytes, more than the 32,767"))
        #expect("\(KeyringFailure.denied)".contains("permit keyctl"))
        #expect("\(KeyringFailure.quotaExceeded)".contains("kernel.keys.maxbytes"))
        #expect("\(KeyringFailure.other(99))".contains("99"))
    }
}

extension KeyPermissions {
    /// What a reader needs, and nothing that changes a key or its timeout.
    static let readable = Self(rawValue: 0x1B0B_0000)
}

extension KernelKeyring {
    /// The value under `description`, as text.
    func text(_ description: String, byteCountLimit: Int = 64) throws -> String? {
        var buffer = [UInt8](repeating: 0, count: byteCountLimit)
        var span = buffer.mutableSpan
        guard let byteCount = try read(description, into: &span) else { return nil }
        return String(decoding: buffer.prefix(byteCount), as: UTF8.self)
    }
}
