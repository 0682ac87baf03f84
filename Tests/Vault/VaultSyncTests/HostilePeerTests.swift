import CofferBasics
import Foundation
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat

@testable import VaultSync

/// A peer that answers each message with prepared bytes, whatever it is asked.
private func withLiar<Result>(_ answers: [[UInt8]], _ body: (PairedTransport) throws -> Result) rethrows -> Result {
    let (own, other) = PairedTransport.pair()
    let end = Semaphore()
    let thread = Thread {
        let connection = SyncConnection(other)
        try? connection.send(answers.first ?? [])
        for answer in answers.dropFirst() {
            guard (try? connection.next()) != nil, (try? connection.send(answer)) != nil else { break }
        }
        // What is still unread may be large.
        while (try? connection.next()) != nil {}
        other.end()
        end.signal()
    }
    thread.start()
    defer {
        own.end()
        end.wait()
    }
    return try body(own)
}

/// A peer that takes nothing, and sends the same answer again and again, at most a thousand times.
private final class TalkativeTransport: SyncTransport {
    private var count = 0

    func receive(into buffer: inout MutableSpan<UInt8>, timeout: Duration) throws(FileError) -> Int? {
        count += 1
        guard count < 1000 else { throw FileError(.read, "connection", reason: .other(5)) }
        let answer = SyncMessage.changed.encoded
        buffer.copy(from: answer.span)
        return answer.count
    }

    func send(_ bytes: Span<UInt8>) throws(FileError) { throw FileError(.write, "connection", reason: .other(32)) }

    var wasHeardOut: Bool { count >= 1000 }
}

@Suite("A serving side that lies") struct LyingServerTests {
    private static let greeting = SyncConnection.greeting
    private static let state = SyncMessage.state(vault: VaultID([UInt8](1...16).span), files: [.vault]).encoded
    private static let digest = [UInt8](repeating: 7, count: 32)

    private static func content(_ byteCount: Int, size: Int? = nil, base: Int = 0, pieces: Int = 0) -> [UInt8] {
        let known = KnownContent(byteCount: byteCount, digest: digest)
        return SyncMessage.content(known, fileByteCount: size ?? byteCount, base: base, pieceCount: pieces).encoded
    }

    private static func piece(_ byteCount: Int) -> FilePiece {
        FilePiece(hash: [UInt8](repeating: 1, count: 16), byteCount: byteCount)
    }

    private static let bytes = SyncMessage.bytes([UInt8](repeating: 3, count: 1000)).encoded

    /// The answers to the messages `open` and `fetch` with `known`, and what the client must say to them.
    static let lies: [(answers: [[UInt8]], failure: SyncFailure)] = [
        ([Array("Welcome to desk!\n".utf8)], .noGreeting(Array("Welcome to desk!\n".utf8))),
        ([greeting, [3, 0xFF, 0xFF, 0xFF, 0xFF]], .invalid("4294967295 bytes")),
        ([greeting, [3, 1, 4, 0x10, 0]], .invalid("1049601 bytes")),
        ([greeting, [99, 0, 0, 0, 0]], .invalid("kind 99, 0 bytes")),
        ([greeting, SyncMessage.changed.encoded], .invalid("a state was expected")),
        ([greeting, SyncMessage.failed(.denied, "no\u{1B}[2J").encoded], .refused(.denied, "no\u{1B}[2J")),
        ([greeting, state, [], SyncMessage.look.encoded], .invalid("a content was expected")),
        ([greeting, state, [], content(1000, size: 999)], .invalid("kind 6, 64 bytes")),
        ([greeting, state, [], content(5 << 30)], .invalid("kind 6, 64 bytes")),
        ([greeting, state, [], content(1000, size: 1000 + 131_073)], .invalid("kind 6, 64 bytes")),
        ([greeting, state, [], content(5000, base: 2)], .invalid("an unknown base")),
        ([greeting, state, [], content(1, base: 1)], .invalid("a base that is too long")),
        ([greeting, state, [], content(500) + bytes], .invalid("at most 500 bytes were expected")),
        ([greeting, state, [], content(1000) + bytes], .invalid("another content than announced")),
        ([greeting, state, [], content(2280, base: 1) + bytes], .invalid("another content than announced")),
        (
            [greeting, state, [], content(1000) + SyncMessage.bytes([]).encoded],
            .invalid("at most 1000 bytes were expected")
        ),
        ([greeting, state, [], content(100_000, pieces: 100_000)], .invalid("100000 pieces")),
        (
            [greeting, state, [], content(4000, pieces: 1) + SyncMessage.pieces([piece(4000), piece(1)]).encoded],
            .invalid("pieces were expected")
        ),
        (
            [greeting, state, [], content(4000, pieces: 1) + SyncMessage.pieces([piece(3999)]).encoded],
            .invalid("the pieces do not fill the file")
        ),
        (
            [greeting, state, [], content(1000, pieces: 1) + SyncMessage.pieces([piece(1000)]).encoded, bytes],
            .invalid("another content than announced")
        ),
    ]

    @Test(arguments: lies.indices) func `a lie is noticed, and what was fetched before stays`(number: Int) throws {
        let (answers, failure) = Self.lies[number]
        let machines = try SyncedMachines()
        let former = try SyncedMachines.vault()
        try machines.client.put(former, at: "/copies/\(SyncedMachines.copyName)")
        let thrown = withLiar(answers) { transport in
            #expect(throws: SyncFailure.self) { try machines.fetch(SyncClient(transport, path: "")) }
        }
        #expect(thrown == failure)
        #expect(try machines.fetched == former)
        #expect(try machines.client.locate("/copies/x").directory.names().count <= 2)
    }

    @Test func `a side that takes nothing and does not stop talking is given up`() throws {
        let transport = TalkativeTransport()
        #expect(throws: SyncFailure.disconnected) { try SyncConnection(transport).send(.look) }
        #expect(!transport.wasHeardOut)
    }

    @Test func `a vault that would not fit on the disk is refused before it is sent`() throws {
        let machines = try SyncedMachines()
        machines.client.isFull = true
        let thrown = withLiar([Self.greeting, Self.state, [], Self.content(4 << 30) + Self.bytes]) { transport in
            #expect(throws: FileError.self) { try machines.fetch(SyncClient(transport, path: "")) }
        }
        #expect(thrown == FileError(.create, "/copies/.copy.coffer.part", reason: .diskFull))
    }
}

@Suite("A client that lies") struct LyingClientTests {
    private static let known = KnownContent(byteCount: 100, digest: [UInt8](repeating: 7, count: 32))

    /// What a client sends to a server, after the path.
    static let lies: [[UInt8]] = [
        [0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [200, 0, 0, 0, 0], [],
        SyncMessage.bytes([1, 2, 3]).encoded,
        SyncMessage.fetch(.waiting(1)).encoded,
        SyncMessage.fetch(.vault).encoded + SyncMessage.look.encoded,
        SyncMessage.fetch(.vault).encoded + SyncMessage.known([known]).encoded + SyncMessage.wanted([5..<6]).encoded,
        SyncMessage.push(seen: []).encoded
            + SyncMessage.content(known, fileByteCount: 100, base: 1, pieceCount: 0).encoded
            + SyncMessage.bytes([1, 2, 3]).encoded,
        SyncMessage.push(seen: [SyncedContent(.vault, known)]).encoded
            + SyncMessage.content(known, fileByteCount: 100, base: 0, pieceCount: 0).encoded
            + SyncMessage.bytes([UInt8](repeating: 1, count: 100)).encoded,
    ]

    @Test(arguments: lies.indices) func `the vault stays as it is`(number: Int) throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(200_000)
        try machines.server.put(vault, at: SyncedMachines.path)
        try machines.connected { client in
            try client.connection.send(Self.lies[number])
            // Whatever it answers, it goes on or ends the connection.
            _ = try? client.look()
        }
        #expect(try machines.served == vault)
        #expect(try machines.received == [])
    }

    @Test func `a content with the right digest that does not extend the vault never replaces it`() throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(1000)
        try machines.server.put(vault, at: SyncedMachines.path)
        #expect(throws: SyncFailure.self) { try machines.push([UInt8](repeating: 9, count: 2000)) }
        let other = try SyncedMachines.vault(1000, named: "another vault")
        #expect(throws: SyncFailure.refused(.notAVault, "that is another vault")) { try machines.push(other) }
        #expect(try machines.served == vault)
        #expect(try machines.received == [])
    }
}
