import CofferBasics
import Testing
import TestSupport

@Suite("Memory of secrets") struct SecretMemoryTests {
    private let secret = (0..<64).map { UInt8($0 ^ 0xA5) }

    // MARK: - Unique

    @Test func `a new buffer holds zeros`() {
        let buffer = SecretBuffer(byteCount: 100)
        #expect(buffer.withSpan { [UInt8](copying: $0) } == [UInt8](repeating: 0, count: 100))
        #expect(buffer.byteCount == 100)
        #expect(SecretBuffer(byteCount: 0).withSpan { $0.count } == 0)
    }

    @Test func `a buffer holds what was written`() {
        var buffer = SecretBuffer(byteCount: 64)
        buffer.withMutableSpan { span in
            span.copy(from: secret.span)
        }
        #expect(buffer.withSpan { [UInt8](copying: $0) } == secret)
    }

    @Test func `the memory of a buffer is wiped when it is released`() throws {
        var address: UInt = 0
        do {
            var buffer = SecretBuffer(byteCount: 64)
            buffer.withMutableSpan { span in
                span.copy(from: secret.span)
                address = span.withUnsafeMutableBufferPointer { UInt(bitPattern: $0.baseAddress) }
            }
            let bytes = try buffer.withSpan { _ in try ProcessMemory.bytes(at: address, count: 64) }
            #expect(bytes == secret)
        }
        try expectWiped(at: address)
    }

    @Test func `a buffer that grows keeps its bytes`() {
        var buffer = SecretBuffer(copying: secret.span)
        buffer.grow(to: 100)
        #expect(buffer.withSpan { [UInt8](copying: $0) } == secret + [UInt8](repeating: 0, count: 36))
    }

    // MARK: - Shared

    @Test func `shared secrets are equal if their bytes are`() {
        let held = HeldSecret(copying: secret.span)
        #expect(held == HeldSecret(capacity: 100) { $0.append(copying: secret.span) })
        #expect(held.byteCount == 64)
        #expect(!held.isEmpty)
        for other in [[], Array(secret.dropLast()), secret + [0], [secret[0] ^ 1] + secret.dropFirst()] {
            #expect(held != HeldSecret(copying: other.span))
        }
        #expect(held.secret(in: 3..<9) == HeldSecret(copying: Array(secret[3..<9]).span))
    }

    @Test func `a shared secret is wiped with its last reference`() throws {
        var address: UInt = 0
        do {
            let held = HeldSecret(copying: secret.span)
            address = held.withSpan { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
            var copies = [held, held]
            copies.removeLast()
            #expect(try ProcessMemory.bytes(at: address, count: 64) == secret)
            withExtendedLifetime(copies) {}
        }
        try expectWiped(at: address)
    }

    // MARK: - Growing

    @Test(arguments: [0, 1, 64, 256])
    func `a builder holds what was appended`(capacity: Int) {
        let builder = SecretBuilder(capacity: capacity)
        #expect(builder.held.isEmpty)
        builder.append(secret[0])
        builder.append(secret[1..<9])
        builder.append(secret[9..<20].lazy.map { $0 })
        builder.append(copying: secret.span.extracting(20...))
        #expect(builder.byteCount == 64)
        #expect(builder.held == HeldSecret(copying: secret.span))
    }

    @Test func `a builder wipes what is removed`() throws {
        let builder = SecretBuilder()
        builder.append(secret)
        let address = builder.withSpan { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        builder.removeAll()
        #expect(builder.byteCount == 0)
        #expect(try ProcessMemory.bytes(at: address, count: 64) == [UInt8](repeating: 0, count: 64))
        builder.append(7)
        #expect(builder.held == HeldSecret(copying: [7].span))
    }

    @Test(arguments: [0, 1, 63, 64, 65, 1000], [0, 1, 16, 64, 300])
    func `a builder reads an input up to a limit`(byteCountLimit: Int, capacity: Int) {
        let builder = SecretBuilder(capacity: capacity)
        var offset = 0
        let isWhole = builder.append(atMost: byteCountLimit) { room in
            let count = min(room.count, secret.count - offset)
            room.copy(from: secret.span.extracting(offset..<offset + count))
            offset += count
            return count
        }
        #expect(isWhole == (byteCountLimit >= 64))
        #expect(builder.byteCount == min(64, byteCountLimit + 1))
        #expect(builder.held == HeldSecret(copying: secret.span.extracting(..<builder.byteCount)))
    }

    @Test func `an error of an input leaves what was read before`() {
        struct Failure: Error {}
        let builder = SecretBuilder(capacity: 4)
        var isFirst = true
        #expect(throws: Failure.self) {
            _ = try builder.append(atMost: 100) { room in
                guard isFirst else { throw Failure() }
                isFirst = false
                room.copy(from: secret.span.extracting(..<4))
                return 4
            }
        }
        #expect(builder.held == HeldSecret(copying: secret.span.extracting(..<4)))
    }

    // MARK: - Within a call

    @Test(arguments: [64, 5000])
    func `a temporary secret is wiped, and what was removed from it`(capacity: Int) throws {
        let address = withTemporarySecret(
            capacity: capacity,
            writtenBy: { output in
                output.append(copying: secret.span)
                output.removeLast(60)
            },
            { bytes in
                #expect([UInt8](copying: bytes) == Array(secret.prefix(4)))
                return bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
            }
        )
        try expectWiped(at: address)
    }

    @Test func `an array is wiped after its use, and what was removed from it`() throws {
        var address: UInt = 0
        var bytes = [UInt8](copying: secret.span)
        bytes.withUnsafeBufferPointer { address = UInt(bitPattern: $0.baseAddress) }
        bytes.removeLast(60)
        (consume bytes).wipedAfter { #expect($0 == Array(secret.prefix(4))) }
        try expectWiped(at: address)
    }

    /// Expects that the secret is not at `address` any more.
    ///
    /// Other code may have reused the memory, but only memory that was not wiped still has exactly these bytes. The
    /// first 16 bytes do not count, since the allocator writes its own data there.
    private func expectWiped(at address: UInt) throws {
        let rest = try ProcessMemory.bytes(at: address, count: 64)
        #expect(zip(rest, secret).dropFirst(16).filter { $0 == $1 }.count < 8)
    }
}
