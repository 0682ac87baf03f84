import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Memory of keys") struct KeyMemoryTests {
    private let secret = (0..<64).map { UInt8($0 ^ 0xA5) }

    @Test(arguments: [0, 31, 33])
    func `a key cannot be made from the wrong number of bytes`(byteCount: Int) async {
        await #expect(processExitsWith: .failure) { [byteCount] in
            _ = try Key([UInt8](repeating: 1, count: byteCount))
        }
    }

    @Test func `a key is in no core dump and between unreadable pages`() throws {
        let key = try Key([UInt8](repeating: 1, count: 32))
        let address = key.withBytes { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        let mappings = try withExtendedLifetime(key) { try ProcessMemory.mappings() }
        let index = try #require(mappings.firstIndex { $0.range.contains(address) })
        #expect(mappings[index].flags.contains("dd"))
        for neighbor in [mappings[index - 1], mappings[index + 1]] {
            #expect(neighbor.permissions == "---p")
        }
        #expect(mappings[index - 1].range.upperBound == mappings[index].range.lowerBound)
        #expect(mappings[index + 1].range.lowerBound == mappings[index].range.upperBound)
    }

    @Test func `the memory of a key is wiped when it is released`() throws {
        var address: UInt = 0
        do {
            let key = try Key(Array(secret.prefix(32)))
            address = key.withBytes { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
            let bytes = try withExtendedLifetime(key) { try ProcessMemory.bytes(at: address, count: 32) }
            #expect(bytes == Array(secret.prefix(32)))
        }
        #expect(try ProcessMemory.bytes(at: address, count: 32) != Array(secret.prefix(32)))
    }

    @Test func `keys share pages, and each is released independently`() throws {
        // More keys than fit on a page; every third is released, and others take the free slots.
        var keys = try (0..<200).map { ($0, try Key([UInt8](repeating: UInt8($0), count: 32))) }
        keys.removeAll { number, _ in number.isMultiple(of: 3) }
        keys += try (200..<256).map { ($0, try Key([UInt8](repeating: UInt8($0), count: 32))) }
        for (number, key) in keys { #expect(key.bytes == [UInt8](repeating: UInt8(number), count: 32)) }
    }

    @Test func `a key that could not be made does not affect its neighbors`() throws {
        let neighbor = try Key([UInt8](repeating: 1, count: 32))
        let passphrase = Array("kim".utf8)
        let byteCount = 1 << 41
        // More than any machine has.
        #expect(throws: CipherError.outOfMemory(neededByteCount: byteCount)) {
            try Key.ofPassphrase(
                passphrase.span,
                salt: [UInt8](repeating: 7, count: 16),
                operations: 1,
                memoryByteCount: byteCount
            )
        }
        #expect(neighbor.bytes == [UInt8](repeating: 1, count: 32))
    }

    @Test func `tasks make and release keys concurrently`() async throws {
        let isRight = await withTaskGroup(of: Bool.self) { group in
            for task in UInt8(0)..<16 {
                group.addTask {
                    let bytes = [UInt8](repeating: task, count: 32)
                    return (0..<100).allSatisfy { _ in
                        (try? Key(bytes)).map { ($0).bytes == bytes } ?? false
                    }
                }
            }
            return await group.allSatisfy { $0 }
        }
        #expect(isRight)
    }

    @Test func `tasks share a key`() async throws {
        let key = try Key(Array(secret.prefix(32)))
        let digest = key.hash(32, .chain, secret)
        let digests = await withTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<16 { group.addTask { key.hash(32, .chain, secret) } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(digests == [digest])
    }

    @Test(arguments: [0, 1, 33, 5000])
    func `guarded bytes have any size, and are wiped when they are released`(byteCount: Int) throws {
        let content = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 ^ 0xA5) }
        var address: UInt = 0
        do {
            let guarded = try GuardedBytes(copying: content.span)
            #expect(guarded.byteCount == byteCount)
            #expect(guarded.withBytes { [UInt8](copying: $0) } == content)
            address = guarded.withBytes { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        }
        let rest = try ProcessMemory.bytes(at: address, count: byteCount)
        #expect(byteCount == 0 || rest != content)
    }
}
