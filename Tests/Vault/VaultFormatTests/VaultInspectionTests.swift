import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

/// Section 16: what can be read without a key.
@Suite("Inspection") struct VaultInspectionTests {
    private static func golden(_ name: String) throws -> [UInt8] {
        let vaults = try VaultVector.golden().map(\.vector)
        return try #require(vaults.first { $0.name.hasPrefix(name) }, "there is no vault \(name)").bytes
    }

    private func inspected(_ bytes: [UInt8]) throws(VaultFormatError) -> VaultInspection {
        try VaultInspection(of: MemorySource(bytes))
    }

    // MARK: - Good vaults

    @Test(arguments: ["basic", "device", "groups", "large-items", "slots"])
    func `header, slots, devices, groups and frames of a good vault are reported`(name: String) throws {
        let vector = try #require(try VaultVector.golden().map(\.vector).first { $0.name.hasPrefix(name) })
        let source = MemorySource(vector.bytes)
        let prelude = try VaultPrelude(of: source)
        let keybag = prelude.keybag
        let opening = try VaultOpening(
            prelude,
            roots: vector.roots(prelude),
            random: DeterministicRandom(seed: "reader")
        )
        var frames = opening.log(in: source)
        var frameCount = 0
        while try frames.next() != nil { frameCount += 1 }

        let inspection = try inspected(vector.bytes)
        #expect(inspection.damage == [])
        #expect(inspection.fileByteCount == vector.bytes.count)
        #expect(inspection.vault == opening.header.vault)
        #expect(inspection.generation == opening.header.generation)
        #expect(inspection.baseSequence == opening.header.baseSequence)
        #expect(inspection.keybagByteCount == opening.header.keybagByteCount)
        #expect(inspection.snapshotByteCount == opening.header.snapshotByteCount)
        #expect(inspection.slots.map(\.id) == keybag.slots.map(\.id))
        #expect(inspection.slots.map(\.kind) == keybag.slots.map { .slot($0.kind) })
        #expect(inspection.slots.map(\.derivation) == keybag.slots.map(\.derivation))
        #expect(inspection.devices == keybag.devices.map(\.id))
        let log = inspection.log
        #expect(log.frameCount == frameCount)
        #expect(log.lastSequence == (frameCount > 0 ? opening.header.baseSequence + UInt64(frameCount) : nil))
        #expect(opening.header.logOffset + log.byteCount + log.reserveByteCount == vector.bytes.count)
        #expect(log.unknownOffset == nil)
    }

    @Test func `a device unlock slot names its device`() throws {
        let slots = try inspected(Self.golden("device")).slots
        for slot in slots { #expect((slot.kind == .slot(.deviceUnlock)) == (slot.device != nil)) }
    }

    // MARK: - Damaged vaults

    @Test func `each damaged part of a vault is reported, and the rest is still shown`() throws {
        let bytes = try Self.golden("basic")
        let good = try inspected(bytes)
        let keybagOffset = Header.byteCount
        let directoryOffset = keybagOffset + good.keybagByteCount
        let logOffset = directoryOffset + good.snapshotByteCount

        var changed = bytes
        changed[keybagOffset + 20] ^= 1
        var inspection = try inspected(changed)
        #expect(inspection.damage == [.keybagFailure(.hashDiffers, offset: keybagOffset)])
        #expect(inspection.slots == [] && inspection.log == good.log && inspection.vault == good.vault)

        changed = bytes
        changed[directoryOffset] ^= 1
        inspection = try inspected(changed)
        #expect(inspection.damage == [.snapshotFailure(.hashDiffers, offset: directoryOffset)])
        #expect(inspection.slots == good.slots && inspection.log == good.log)

        changed[keybagOffset + 20] ^= 1
        changed[logOffset] ^= 1
        inspection = try inspected(changed)
        #expect(
            inspection.damage == [
                .keybagFailure(.hashDiffers, offset: keybagOffset),
                .snapshotFailure(.hashDiffers, offset: directoryOffset), .unknownTail(offset: logOffset),
            ]
        )
        #expect(inspection.log.frameCount == 0)
    }

    @Test func `a reserve is reported, and other bytes after the frames are not trusted`() throws {
        let bytes = try Self.golden("basic")
        let good = try inspected(bytes)
        let logOffset = Header.byteCount + good.keybagByteCount + good.snapshotByteCount
        let end = logOffset + good.log.byteCount
        let reserve = [UInt8](repeating: 0, count: 300_000)
        #expect(try inspected(Array(bytes[..<end]) + reserve).log.reserveByteCount == 300_000)
        let tail = try inspected(Array(bytes[..<end]) + reserve + [1])
        #expect(tail.log.unknownOffset == end && tail.log.reserveByteCount == 0)
        #expect(tail.damage == [.unknownTail(offset: end)])
        #expect(tail.log.frameCount == good.log.frameCount)
        // A truncated frame is not counted.
        let cut = try inspected(Array(bytes[..<(end - 1)]))
        #expect(cut.log.frameCount == good.log.frameCount - 1)
    }

    @Test func `only an unreadable header is an error`() throws {
        let bytes = try Self.golden("basic")
        #expect(throws: VaultFormatError.notAVault) { try inspected([]) }
        #expect(throws: VaultFormatError.headerFailure(.tooShort, offset: 100)) { try inspected(Array(bytes[..<100])) }
        var changed = bytes
        changed[90] ^= 1
        #expect(throws: VaultFormatError.headerFailure(.hashDiffers, offset: 192)) { try inspected(changed) }
        // The MAC cannot be checked without a key.
        changed = bytes
        changed[230] ^= 1
        #expect(try inspected(changed).damage == [])
    }

    // MARK: - No crashes

    @Test func `no truncation of a golden vault causes a crash`() throws {
        let bytes = try Self.golden("basic")
        let good = try inspected(bytes)
        let logOffset = Header.byteCount + good.keybagByteCount + good.snapshotByteCount
        for byteCount in 0..<bytes.count {
            let cut = Array(bytes[..<byteCount])
            if byteCount < logOffset {
                #expect(throws: VaultFormatError.self, "\(byteCount) bytes") { try inspected(cut) }
            } else {
                let inspection = try inspected(cut)
                #expect(inspection.log.frameCount <= good.log.frameCount)
                #expect(inspection.log.byteCount + logOffset <= byteCount)
            }
        }
    }

    @Test(arguments: 0..<8) func `no flipped bit of a golden vault causes a crash`(bit: Int) throws {
        let bytes = try Self.golden("slots")
        // A fifth of the bytes, with a different start for each bit.
        for offset in stride(from: bit % 5, to: bytes.count, by: 5) {
            var changed = bytes
            changed[offset] ^= 1 << UInt8(bit)
            do throws(VaultFormatError) {
                let inspection = try inspected(changed)
                #expect(inspection.log.byteCount <= bytes.count, "byte \(offset)")
                #expect(offset >= 224, "byte \(offset)")
            } catch {
                #expect(offset < 224, "byte \(offset): \(error)")
            }
        }
    }
}
