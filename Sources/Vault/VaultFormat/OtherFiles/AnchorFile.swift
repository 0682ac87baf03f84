package import VaultCrypto

/// The anchor file of section 11: two slots; each update overwrites the one that is not current.
///
/// If a write is interrupted, the previous anchor is still in the other slot.
package struct AnchorFile: Equatable, Sendable {
    package static let byteCount = 2 * AnchorSlot.byteCount

    private var slots: [AnchorSlot?]

    /// An empty file, before the first update.
    package init() {
        slots = [nil, nil]
    }

    /// Reads the valid slots of a file for `vault`.
    ///
    /// A slot that is damaged, belongs to another vault or lies beyond the end of a short file does not exist; bytes
    /// after the second slot are ignored.
    package init(parsing bytes: Span<UInt8>, vault: VaultID) {
        self.init()
        for number in slots.indices {
            let range = Self.range(ofSlot: number)
            guard range.upperBound <= bytes.count else { return }
            slots[number] = AnchorSlot(parsing: bytes.extracting(range), vault: vault)
        }
    }

    /// Whether a file may be overwritten: it is an anchor file, valid or damaged, or it is empty or all zero.
    ///
    /// `bytes` are the bytes of the file, up to one more than an anchor file has.
    package static func mayReplace(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= byteCount else { return false }
        let starts = [0, 1].map(range).filter { $0.upperBound <= bytes.count }
        // A power failure during a write may leave zeros.
        return starts.contains { AnchorSlot.hasMagic(bytes.extracting($0)) }
            || bytes.indices.allSatisfy { bytes[$0] == 0 }
    }

    /// The current anchor: that of the slot with the greater count, or of the first if the counts are equal.
    package var anchor: Anchor? {
        currentSlot.flatMap { slots[$0]?.anchor }
    }

    /// The write that remembers `anchor`; it is synced after the vault.
    package func update(to anchor: Anchor) -> AnchorUpdate {
        let count = currentSlot.flatMap { slots[$0]?.count } ?? 0
        // A forged file may have the greatest count. The second slot cannot have a greater one then, but the first is
        // current if both have the same.
        let isLast = count == .max
        let slot = AnchorSlot(count: isLast ? count : count + 1, anchor: anchor)
        let number = currentSlot == 0 && !isLast ? 1 : 0
        var file = self
        file.slots[number] = slot
        return AnchorUpdate(
            offset: Self.range(ofSlot: number).lowerBound,
            bytes: slot.encoded(),
            file: file
        )
    }

    /// The number of the current slot, or nil if none exists.
    private var currentSlot: Int? {
        switch (slots[0], slots[1]) {
        case (nil, nil): nil
        case (_, nil): 0
        case (nil, _): 1
        case (let first?, let second?): first.count < second.count ? 1 : 0
        }
    }

    private static func range(ofSlot number: Int) -> Range<Int> {
        number * AnchorSlot.byteCount..<(number + 1) * AnchorSlot.byteCount
    }
}

/// One write to an anchor file.
package struct AnchorUpdate: Equatable, Sendable {
    /// The offset in the file at which ``bytes`` are written.
    package let offset: Int
    package let bytes: [UInt8]
    /// The file after the write; if the write fails, keep the previous value.
    package let file: AnchorFile
}
