import CofferBasics
import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

@testable import VaultSync

/// Two machines with files in memory: one serves a vault, the other fetches it and sends to it.
struct SyncedMachines {
    static let path = "/vaults/login.coffer"
    static let copyName = "copy.coffer"

    let server = MemoryFiles()
    let client = MemoryFiles()

    init() throws {
        _ = try server.makeDirectory("/vaults")
        _ = try client.makeDirectory("/copies")
    }

    /// A vault without items, with random frames behind it: the serving side cannot tell them from changes.
    static func vault(_ byteCount: Int = 0, seed: UInt64 = 1, named name: String = "vault") throws -> [UInt8] {
        let files = MemoryFiles()
        _ = try files.makeDirectory("/vaults")
        let environment = StoreEnvironment(
            files: files,
            time: ManualTime(),
            random: DeterministicRandom(seed: name),
            user: CurrentProcess.user
        )
        var new = try NewVault(environment: environment)
        try new.add(
            device: DeviceID([UInt8](repeating: 1, count: 16).span),
            key: environment.random.key(),
            opensAll: true
        )
        _ = try VaultStore.create(new, at: path, environment: environment)
        return try grown(files.bytes(at: path), by: byteCount, seed: seed)
    }

    /// A vault with random frames of at least `byteCount` bytes behind its own: `Spec/vault-format.md`, section 6.1.
    static func grown(_ vault: [UInt8], by byteCount: Int, seed: UInt64) throws -> [UInt8] {
        let inspection = try VaultInspection(of: MemorySource(vault))
        var sequence = inspection.log.lastSequence ?? inspection.baseSequence
        var vault = vault + [UInt8](repeating: 0, count: Padding.end(of: vault.count) - vault.count)
        let random = bytes(byteCount, seed: seed)
        for start in stride(from: 0, to: byteCount, by: 1024 - 32) {
            sequence += 1
            var frame = Array("COFX".utf8)
            frame.append(littleEndian: UInt32(1024 - 96))
            frame.append(littleEndian: sequence)
            frame.append(littleEndian: sequence - 1)
            frame += [UInt8](repeating: 0x55, count: 8) + random[start...].prefix(1024 - 32)
            vault += frame + [UInt8](repeating: 0xAA, count: 1024 - frame.count)
        }
        return vault
    }

    /// Random bytes, of which the last is not zero.
    static func bytes(_ byteCount: Int, seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        while bytes.count < byteCount { bytes.append(littleEndian: generator.next()) }
        bytes.removeSubrange(byteCount...)
        if byteCount > 0 { bytes[byteCount - 1] |= 1 }
        return bytes
    }

    /// Connects the two machines while `body` runs.
    @discardableResult
    func connected<Result>(
        cutAfter cut: Int = .max,
        path: String = SyncedMachines.path,
        mayCreate: Bool = true,
        merge: @escaping @Sendable () -> Void = {},
        _ body: (SyncClient) throws -> Result
    ) throws -> Result {
        let (client, server) = PairedTransport.pair(cutAfter: cut)
        let files = self.server
        let end = Semaphore()
        let thread = Thread {
            var service = SyncServer(server) { path in
                ServedVault(at: try files.locate(path), time: ManualTime(), mayCreate: mayCreate, merge: merge)
            }
            try? service.serve()
            server.end()
            end.signal()
        }
        thread.start()
        defer {
            client.end()
            // What the serving side has begun is done.
            end.wait()
        }
        return try body(SyncClient(client, path: path))
    }

    func fetch(_ client: SyncClient, _ file: SyncedFile = .vault) throws -> KnownContent {
        let directory = try self.client.locate("/copies/x").directory
        let known = try client.fetch(file, as: Self.copyName, in: directory, from: []) { _ in }
        return try #require(known)
    }

    /// Fetches the vault in a connection of its own, and returns the bytes that travelled in both directions.
    func fetch(cutAfter cut: Int = .max) throws -> Int {
        try connected(cutAfter: cut) { client in
            _ = try fetch(client)
            return client.connection.sentByteCount + client.connection.receivedByteCount
        }
    }

    /// Sends bytes in a connection of its own.
    func push(
        _ bytes: [UInt8],
        seen: [SyncedContent]? = nil,
        cutAfter cut: Int = .max,
        mayCreate: Bool = true,
        merge: @escaping @Sendable () -> Void = {}
    ) throws -> SyncOutcome? {
        try client.put(bytes, at: "/copies/work")
        return try connected(cutAfter: cut, mayCreate: mayCreate, merge: merge) { client in
            let seen = try seen ?? client.files.map { SyncedContent($0, try fetch(client, $0)) }
            let file = try self.client.locate("/copies/work").directory.open("work", for: .reading)
            return try client.push(file, seen: seen) { _ in }
        }
    }

    var fetched: [UInt8] { get throws { try client.bytes(at: "/copies/\(Self.copyName)") } }
    var served: [UInt8] { get throws { try server.bytes(at: Self.path) } }
    var received: [UInt8] { get throws { try server.bytes(at: Self.path + ".received") } }
    /// The names of the files beside the vault, and its own.
    var names: [String] { get throws { try server.locate(Self.path).directory.names() } }
}

extension MemoryFiles {
    /// The bytes of a file; none if it does not exist.
    func bytes(at path: String) throws -> [UInt8] {
        let (directory, name) = try locate(path)
        guard let file = try? directory.open(name, for: .reading) else { return [] }
        return try file.bytes(in: 0..<file.status().byteCount)
    }
}
