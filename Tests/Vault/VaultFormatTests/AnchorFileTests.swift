import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Anchor file") struct AnchorFileTests {

    /// The checksum of `slot(count: 7)`, computed with Python's hashlib.blake2b over bytes put together by hand.
    private static let checksum: [UInt8] = [
        0x31, 0xB2, 0xFB, 0xE5, 0x79, 0x5B, 0xF4, 0xA9, 0x85, 0x16, 0xB5, 0x79, 0x61, 0x90, 0x32, 0x5C,
        0x7E, 0x88, 0xE2, 0x52, 0xA6, 0x38, 0x5F, 0x31, 0xB7, 0x06, 0xB4, 0x01, 0xFC, 0x8B, 0x27, 0xB0,
    ]

    private func anchor(generation: UInt64 = 3, sequence: UInt64 = 258) -> Anchor {
        Anchor(
            vault: .sample,
            generation: generation,
            sequence: sequence,
            chain: countingBytes(from: 0x40, count: 32),
            structureKeyEpoch: 772
        )
    }

    private func slot(count: UInt64, _ anchor: Anchor? = nil) -> [UInt8] {
        let anchor = anchor ?? self.anchor()
        var slot = Array("COFANCH1".utf8) + littleEndian(count) + anchor.vault.bytes
        slot += littleEndian(anchor.generation) + littleEndian(anchor.sequence) + anchor.chain
        slot += littleEndian(anchor.structureKeyEpoch) + [UInt8](repeating: 0, count: 396)
        return slot + Label.anchor.hash(32, slot)
    }

    private func file(_ slots: [UInt8]...) -> AnchorFile {
        let bytes = slots.flatMap(\.self)
        return AnchorFile(parsing: bytes.span, vault: .sample)
    }

    private let noSlot = [UInt8](repeating: 0, count: 512)

    @Test func `a slot has the bytes of the table`() {
        #expect(slot(count: 7).suffix(32) == Self.checksum[...])
        let update = file(slot(count: 6)).update(to: anchor())
        #expect(update.bytes == slot(count: 7))
        #expect(file(slot(count: 7)).anchor == anchor())
    }

    @Test(.temporaryDirectory, .enabled(if: PythonOracle.isExpected, "Python is missing."), arguments: UInt64(0)..<4)
    func `Python makes the same slots`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255, using: &generator) } }
        let (vault, chain) = (random(16), random(32))
        let numbers = (0..<3).map { _ in UInt64.random(in: 1..<UInt64.max, using: &generator) }
        let epoch = UInt32.random(in: .min ... .max, using: &generator)
        let items = [
            littleEndian(numbers[0]), vault, littleEndian(numbers[1]), littleEndian(numbers[2]), chain,
            littleEndian(epoch),
        ]
        let slot = try #require(try oracleAnswer(to: items, task: "anchor").first)
        let id = VaultID(vault.span)
        let file = AnchorFile(parsing: slot.span, vault: id)
        let anchor = Anchor(
            vault: id,
            generation: numbers[1],
            sequence: numbers[2],
            chain: chain,
            structureKeyEpoch: epoch
        )
        #expect(file.anchor == anchor)
        // With a count greater by one, only count and checksum of the slot differ.
        let next = file.update(to: anchor)
        let expected = try oracleAnswer(to: [littleEndian(numbers[0] + 1)] + items.dropFirst(), task: "anchor")
        #expect([next.bytes] == expected)
    }

    @Test func `a slot with any bit changed does not exist`() {
        let intact = slot(count: 7)
        var survivors: [Int] = []
        for bit in 0..<8 * intact.count {
            var changed = intact
            changed[bit / 8] ^= 1 << (bit % 8)
            if file(changed).anchor != nil { survivors.append(bit) }
        }
        #expect(survivors == [])
    }

    @Test(arguments: [0..<8, 16..<32, 84..<88, 128..<480])
    func `a wrong magic, vault id or reserved byte is rejected even with a valid checksum`(fields: Range<Int>) {
        var survivors: [Int] = []
        for index in fields {
            var changed = Array(slot(count: 7).prefix(480))
            changed[index] ^= 1
            changed += Label.anchor.hash(32, changed)
            if file(changed).anchor != nil { survivors.append(index) }
        }
        #expect(survivors == [])
    }

    @Test func `the slot with the greater count is current`() {
        let (older, newer) = (anchor(sequence: 1), anchor(sequence: 2))
        #expect(file(slot(count: 4, older), slot(count: 5, newer)).anchor == newer)
        #expect(file(slot(count: 5, newer), slot(count: 4, older)).anchor == newer)
        // The count decides, not the anchors in the slots.
        #expect(file(slot(count: 5, older), slot(count: 4, newer)).anchor == older)
        #expect(file(slot(count: 256, newer), slot(count: 255, older)).anchor == newer)
    }

    @Test func `the first of two slots with the same count is current`() {
        let (less, more) = (anchor(generation: 3, sequence: 9), anchor(generation: 4, sequence: 2))
        #expect(file(slot(count: 4, less), slot(count: 4, more)).anchor == less)
        #expect(file(slot(count: 4, more), slot(count: 4, less)).anchor == more)
    }

    @Test func `updates alternate between the slots, and each increases the count`() {
        var file = AnchorFile()
        #expect(file.anchor == nil)
        for number in UInt64(1)...5 {
            let update = file.update(to: anchor(sequence: number))
            #expect(update.offset == (number.isMultiple(of: 2) ? 512 : 0))
            #expect(update.bytes == slot(count: number, anchor(sequence: number)))
            #expect(update.file.anchor?.sequence == number)
            file = update.file
        }
    }

    @Test func `an update overwrites the slot that is not current`() {
        let update: ([UInt8]...) -> (offset: Int, bytes: [UInt8]) = { slots in
            let bytes = slots.flatMap(\.self)
            let file = AnchorFile(parsing: bytes.span, vault: .sample)
            let update = file.update(to: anchor())
            return (update.offset, update.bytes)
        }
        #expect(update(slot(count: 8), slot(count: 9)) == (0, slot(count: 10)))
        #expect(update(slot(count: 9), slot(count: 8)) == (512, slot(count: 10)))
        #expect(update(slot(count: 9), noSlot) == (512, slot(count: 10)))
        #expect(update(noSlot, slot(count: 9)) == (0, slot(count: 10)))
        #expect(update(noSlot, noSlot) == (0, slot(count: 1)))
    }

    @Test func `an interrupted update leaves the previous anchor`() {
        let (first, second) = (anchor(sequence: 1), anchor(sequence: 2))
        let update = file(slot(count: 1, first)).update(to: second)
        for byteCount in [0, 1, 100, 511] {
            #expect(file(slot(count: 1, first), Array(update.bytes.prefix(byteCount))).anchor == first)
        }
        #expect(file(slot(count: 1, first), update.bytes).anchor == second)
    }

    @Test func `a file of any size is read as far as it goes`() {
        #expect(file().anchor == nil)
        #expect(file(Array(slot(count: 1).prefix(511))).anchor == nil)
        #expect(file(slot(count: 1)).anchor == anchor())
        #expect(file(noSlot, noSlot, slot(count: 1)).anchor == nil)
    }

    @Test(arguments: [(UInt64.max - 1, UInt64.max), (.max, .max - 1), (.max, .max), (.max - 1, .max - 2)])
    func `updates still work when the count is at its maximum`(first: UInt64, second: UInt64) {
        var file = file(slot(count: first, anchor(sequence: 5)), slot(count: second, anchor(sequence: 6)))
        for sequence in UInt64(7)...10 {
            let update = file.update(to: anchor(sequence: sequence))
            file = update.file
            #expect(file.anchor?.sequence == sequence)
        }
    }
}
