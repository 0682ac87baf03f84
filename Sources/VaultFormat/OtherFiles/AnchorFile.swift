package import VaultCrypto

/// The file of section 11: two slots, of which each update overwrites the one that does not hold.
///
/// So a write that is cut short takes nothing away: the anchor before it still stands in the other slot.
package struct AnchorFile: Equatable, Sendable {
    package static let byteCount = 2 * AnchorSlot.byteCount

    private var slots: [AnchorSlot?]

    /// The file before there is one.
    package init() {
        slots = [nil, nil]
    }

    /// Reads the slots of a file as far as they exist for `vault`.
    ///
    /// A slot that is damaged, of another vault, or beyond the end of a short file does not exist; nothing behind the
    /// second is read.
    package init(parsing bytes: Span<UInt8>, vault: VaultID) {
        self.init()
        for number in slots.indices {
            let range = Self.range(ofSlot: number)
            guard range.upperBound <= bytes.count else { return }
            slots[number] = AnchorSlot(parsing: bytes.extracting(range), vault: vault)
        }
    }

    /// Whether a file that begins with `bytes`, as many as there are but one more than an anchor file at most, may be
    /// written over: it is an anchor file, whole or damaged, or has nothing in it.
    package static func mayReplace(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= byteCount else { return false }
        let starts = [0, 1].map(range).filter { $0.upperBound <= bytes.count }
        // A power failure may leave zeros where something was to be written.
        return starts.contains { AnchorSlot.hasMagic(bytes.extracting($0)) }
            || bytes.indices.allSatisfy { bytes[$0] == 0 }
    }

    /// The anchor that holds: that of the slot with the greater count, the first of two with the same.
    package var anchor: Anchor? {
        holdingSlot.flatMap { slots[$0]?.anchor }
    }

    /// What must be written to remember `anchor`, to be synced after the vault is.
    package func update(to anchor: Anchor) -> AnchorUpdate {
        let count = holdingSlot.flatMap { slots[$0]?.count } ?? 0
        // Nobody counts to the end, but a file may say that somebody did. Then there is no greater count for the second
        // slot, while the first holds with the same.
        let isLast = count == .max
        let slot = AnchorSlot(count: isLast ? count : count + 1, anchor: anchor)
        let number = holdingSlot == 0 && !isLast ? 1 : 0
        var file = self
        file.slots[number] = slot
        return AnchorUpdate(
            offset: Self.range(ofSlot: number).lowerBound,
            bytes: slot.encoded(),
            file: file
        )
    }

    /// The number of the slot that holds.
    private var holdingSlot: Int? {
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
    /// Where in the file ``bytes`` belong.
    package let offset: Int
    package let bytes: [UInt8]
    /// What the file holds once they are written; if that failed, the file before is what counts.
    package let file: AnchorFile
}
