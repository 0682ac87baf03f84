import CofferBasics
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat

@testable import VaultSync

/// A client that may only run `coffer sync --stdio`, and wants more: `Spec/sync.md`, section 5.
@Suite("A hostile client") struct HostileClientTests {
    /// The server once appended behind the content without its zeros, so a frame whose last byte is zero (one in 256; a
    /// client can wait for it) was overwritten by the next push: an acknowledged change was lost.
    @Test func `a change that ends in a zero byte survives a push that continues in the middle of it`() throws {
        let machines = try SyncedMachines()
        var vault = try SyncedMachines.vault(3000)
        vault[vault.count - 1] = 0
        try machines.server.put(vault, at: SyncedMachines.path)
        let hostile =
            vault.dropLast() + [7] + (try SyncedMachines.grown(vault, by: 900, seed: 5)).dropFirst(vault.count)
        #expect(try machines.push(Array(hostile)) == .waiting)
        #expect(try machines.served == vault)
        // The same with what waits.
        let honest = try endingInZero(SyncedMachines.grown(vault, by: 900, seed: 6))
        #expect(try machines.push(honest) == .waiting)
        let next =
            honest.dropLast() + [7] + (try SyncedMachines.grown(honest, by: 900, seed: 7)).dropFirst(honest.count)
        #expect(try machines.push(Array(next)) == .waiting)
        #expect(try machines.waiting == [Array(hostile), honest, Array(next)])
    }

    private func contentByteCount(of vault: [UInt8]) -> Int { (vault.lastIndex { $0 != 0 } ?? -1) + 1 }

    private func endingInZero(_ vault: [UInt8]) -> [UInt8] { vault.dropLast() + [0] }

    /// A genuine head of a copy that has gone another way makes a vault inconsistent, and nobody can write it any more; a
    /// side without keys cannot tell such a head from an honest one.
    @Test func `not even a well-formed frame is written to a vault that cannot be opened`() throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(1000)
        try machines.server.put(vault, at: SyncedMachines.path)
        let sequence = try #require(try VaultInspection(of: MemorySource(vault)).log.lastSequence)
        let other = try SyncedMachines.grown(vault, by: 900, seed: 2)
        let grown = try VaultInspection(of: MemorySource(other)).log
        #expect(grown.lastSequence == sequence + 1)
        #expect(try machines.push(other) == .waiting)
        #expect(try machines.served == vault)
    }

    @Test func `what waits is not lost to the next push`() throws {
        let machines = try SyncedMachines()
        try machines.server.put(SyncedMachines.vault(), at: SyncedMachines.path)
        let honest = try SyncedMachines.vault(2000, seed: 2)
        #expect(try machines.push(honest) == .waiting)
        let hostile = try SyncedMachines.vault(5000, seed: 3)
        #expect(try machines.push(hostile) == .waiting)
        #expect(try machines.waiting == [honest, hostile])
        // Clients fetch both, and what continues one of them takes its place.
        #expect(try machines.connected { $0.files } == [.vault, .waiting(1), .waiting(2)])
        let grown = try SyncedMachines.grown(honest, by: 500, seed: 4)
        #expect(try machines.push(grown) == .waiting)
        #expect(try machines.waiting == [grown, hostile])
    }

    @Test func `no more than sixteen copies wait, and the last ones are refused`() throws {
        let machines = try SyncedMachines()
        try machines.server.put(SyncedMachines.vault(), at: SyncedMachines.path)
        let copies = try (1...16).map { try SyncedMachines.vault(900, seed: $0) }
        for copy in copies { #expect(try machines.push(copy) == .waiting) }
        let text =
            "too much waits beside the vault already; open it there with its passphrase, such as with `coffer list`"
        #expect(throws: SyncFailure.refused(.busy, text)) { try machines.push(SyncedMachines.vault(900, seed: 99)) }
        #expect(try machines.waiting == copies)
        #expect(try machines.names.count == 17)
        // One that continues what waits still finds its place.
        #expect(try machines.push(SyncedMachines.grown(copies[8], by: 900, seed: 1)) == .waiting)
    }

    @Test func `a content that is larger than what may wait is refused before it is sent`() throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault()
        try machines.server.put(vault, at: SyncedMachines.path)
        let limit = 64 << 20 + 4 * contentByteCount(of: vault)
        let known = KnownContent(byteCount: limit + 1, digest: [UInt8](repeating: 7, count: 32))
        try machines.connected { client in
            try client.connection.send(.push(seen: []))
            _ = try client.connection.next()
            try client.connection.send(.content(known, fileByteCount: limit + 1, base: 0, pieceCount: 0))
            let text = "\(limit + 1) bytes are more than the \(limit) that may wait"
            #expect(throws: SyncFailure.refused(.other, text)) { try client.connection.next() }
        }
        #expect(try machines.names == ["login.coffer"])
    }

    /// A header of 320 bytes is all that was asked for, and anyone can make one, so a shell script could follow it.
    @Test func `only a whole vault is taken, and nothing stays behind of anything else`() throws {
        let script = Array("\ntouch /tmp/owned\n".utf8)
        let vault = try SyncedMachines.vault(2000)
        var damaged = vault
        damaged[400] ^= 1
        for hostile in [Array(vault[..<320]) + script, vault + script, damaged] {
            let machines = try SyncedMachines()
            let refusal = SyncFailure.refused(.notAVault, "what was sent is not a whole vault")
            #expect(throws: refusal) { try machines.push(hostile) }
            #expect(try machines.names == [])
            try machines.server.put(vault, at: SyncedMachines.path)
            #expect(throws: refusal) { try machines.push(hostile) }
            #expect(try machines.names == ["login.coffer"])
        }
    }

    @Test func `where no vault may be created, nothing is`() throws {
        let machines = try SyncedMachines()
        let text = """
            there is no vault at /vaults/login.coffer; copy it there, since a sync creates only the default vault
            """
        #expect(throws: SyncFailure.refused(.other, text)) {
            try machines.push(SyncedMachines.vault(), seen: [], mayCreate: false)
        }
        #expect(try machines.names == [])
        // A vault that exists takes what is sent.
        try machines.server.put(SyncedMachines.vault(), at: SyncedMachines.path)
        #expect(try machines.push(SyncedMachines.vault(900), mayCreate: false) == .waiting)
    }

    /// A peer that stops reading and never stops talking kept the other side listening for the reason.
    @Test func `a peer that no longer reads is not listened to for ever`() {
        let endless = EndlessTransport()
        let connection = SyncConnection(endless)
        #expect(throws: SyncFailure.disconnected) { try connection.send(.look) }
        #expect(endless.messageCount < 100)
    }
}

/// A stream that takes nothing and sends the same message again and again.
private final class EndlessTransport: SyncTransport {
    private(set) var messageCount = 0

    func receive(into buffer: inout MutableSpan<UInt8>, timeout: Duration) throws(FileError) -> Int? {
        messageCount += 1
        // So that the test ends where the connection does not.
        guard messageCount < 10_000 else { return 0 }
        let message = SyncMessage.bytes([1, 2, 3]).encoded
        buffer.copy(from: message.span)
        return message.count
    }

    func send(_ bytes: Span<UInt8>) throws(FileError) { throw FileError(.write, "connection", reason: .other(32)) }
}

extension SyncedMachines {
    /// The contents of what waits.
    fileprivate var waiting: [[UInt8]] {
        get throws {
            let names = ["login.coffer.received"] + (2...16).map { "login.coffer.\($0).received" }
            return try names.map { try server.bytes(at: "/vaults/\($0)") }.filter { !$0.isEmpty }
        }
    }
}
