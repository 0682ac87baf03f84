import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat

@testable import VaultSync

@Suite("Messages of a sync") struct MessageTests {
    private static let known = KnownContent(byteCount: 4711, digest: [UInt8](repeating: 7, count: 32))
    private static let messages: [SyncMessage] = [
        .open(path: ""), .open(path: "/vaults/käse.coffer"), .look,
        .state(vault: VaultID([UInt8](1...16).span), files: [.vault, .waiting(1), .waiting(16)]),
        .state(vault: nil, files: []),
        .fetch(.waiting(2)), .known([]), .known([known, known]),
        .content(known, fileByteCount: 5000, base: 1, pieceCount: 3),
        .pieces([FilePiece(hash: [UInt8](repeating: 9, count: 16), byteCount: 65_536)]),
        .wanted([0..<1, 3..<10]), .bytes([1, 2, 3]), .push(seen: [SyncedContent(.vault, known)]), .push(seen: []),
        .done(.merged), .wait, .stop, .changed, .failed(.denied, "not yours"),
    ]

    @Test(arguments: messages) func `a message is read as it was written`(message: SyncMessage) throws {
        let encoded = message.encoded
        #expect(encoded.span.littleEndian(at: 1, as: UInt32.self) == UInt32(encoded.count - 5))
        #expect(try SyncMessage(kind: encoded[0], Array(encoded[5...])) == message)
    }

    /// The bytes are those of `Spec/sync.md`.
    @Test func `a message has a kind, a length and its content`() {
        #expect(SyncMessage.fetch(.waiting(1)).encoded == [4, 1, 0, 0, 0, 2])
        #expect(
            SyncMessage.wanted([3..<10]).encoded == [8, 8, 0, 0, 0, 3, 0, 0, 0, 7, 0, 0, 0]
        )
    }

    @Test(
        arguments: [
            (3, [UInt8](repeating: 1, count: 15)), (3, [UInt8](repeating: 1, count: 16)),
            (3, [UInt8](repeating: 1, count: 16) + [1, 1]), (3, [UInt8](repeating: 1, count: 16) + [18]), (4, [0]),
            (4, []), (4, [18]),
            (2, [0]), (5, [UInt8](repeating: 0xFF, count: 40)), (5, [UInt8](repeating: 0, count: 39)),
            (5, [UInt8](repeating: 0, count: 40 * 19)), (6, [UInt8](repeating: 0, count: 63)),
            (7, [UInt8](repeating: 0, count: 20)), (7, [UInt8](repeating: 0xFF, count: 20)),
            (8, [3, 0, 0, 0, 0, 0, 0, 0]), (8, [3, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0]),
            (10, [UInt8](repeating: 1, count: 40)), (11, [0]), (11, [1]), (11, [5]), (15, []), (16, []), (0, []),
            (1, [0xFF]),
        ] as [(UInt8, [UInt8])]
    ) func `a value that is out of bounds is refused`(kind: UInt8, content: [UInt8]) {
        #expect(throws: SyncFailure.invalid("kind \(kind), \(content.count) bytes")) {
            try SyncMessage(kind: kind, content)
        }
    }

    @Test func `random bytes are read or refused, and never more`() {
        var generator = SeededGenerator(seed: 26)
        for _ in 0..<20_000 {
            let kind = UInt8.random(in: 0...16, using: &generator)
            let count = Int.random(in: 0...120, using: &generator)
            let content = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            guard let message = try? SyncMessage(kind: kind, content) else { continue }
            #expect(message.encoded.count == 5 + content.count)
        }
    }
}

@Suite("Pieces of a file") struct PieceTests {
    private func pieces(of bytes: [UInt8]) throws -> [FilePiece] {
        let machines = try SyncedMachines()
        try machines.server.put(bytes, at: SyncedMachines.path)
        let file = try machines.server.locate(SyncedMachines.path).directory.open("login.coffer", for: .reading)
        return try FilePiece.cut(FileContent(file), in: 0..<bytes.count)
    }

    @Test func `pieces fill the file, and have from 2 KiB to 64 KiB, 10 KiB on average`() throws {
        let pieces = try pieces(of: SyncedMachines.bytes(1_000_000, seed: 1))
        #expect(pieces.reduce(0) { $0 + $1.byteCount } == 1_000_000)
        #expect(pieces.dropLast().allSatisfy { (2048...65_536).contains($0.byteCount) })
        #expect((70...140).contains(pieces.count))
    }

    @Test func `bytes that were inserted change a few pieces only`() throws {
        let bytes = SyncedMachines.bytes(1_000_000, seed: 1)
        let former = Set(try pieces(of: bytes).map(\.hash))
        let changed = try pieces(of: bytes[..<500_000] + SyncedMachines.bytes(1000, seed: 2) + bytes[500_000...])
        #expect(changed.count { !former.contains($0.hash) } <= 3)
    }

    @Test func `zeros are cut where a piece may not be longer`() throws {
        #expect(
            try pieces(of: [UInt8](repeating: 0, count: 199_999) + [1]).map(\.byteCount) == [
                65_536, 65_536, 65_536, 3392,
            ]
        )
    }
}
