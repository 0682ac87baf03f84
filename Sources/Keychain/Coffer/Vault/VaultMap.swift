internal import VaultFormat

/// The parts of a vault file, in order and without gaps, as far as they can be told without a key.
///
/// None of it is authenticated.
package struct VaultMap: Sendable {
    /// A part of the file.
    package struct Part: Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            case header, keybag, directory, sections, frame, reserve, unknown
        }

        package let kind: Kind
        /// The bytes of the file.
        package let range: Range<Int>
        /// The number of the change in a frame.
        package let change: UInt64?
        package let isDamaged: Bool

        package init(_ kind: Kind, _ range: Range<Int>, change: UInt64? = nil, isDamaged: Bool = false) {
            self.kind = kind
            self.range = range
            self.change = change
            self.isDamaged = isDamaged
        }
    }

    package let parts: [Part]
    /// What else can be read without a key; nil if the header is damaged.
    package let outline: VaultOutline?
    /// The damage that can be seen without a key, except for that in the log.
    package let damage: [VaultOutline.Damage]

    /// The size of the file.
    package var byteCount: Int { parts.last?.range.upperBound ?? 0 }

    package init(_ parts: [Part], outline: VaultOutline? = nil, damage: [VaultOutline.Damage] = []) {
        self.parts = parts
        self.outline = outline
        self.damage = damage
    }

    init(_ found: VaultParts, path: String) {
        self.init(
            found.parts.map { Part($0) },
            outline: found.inspection.map { VaultOutline($0, path: path) },
            damage: found.damage.map { VaultOutline.Damage($0, path: path) }
        )
    }
}

extension VaultMap.Part {
    fileprivate init(_ part: VaultPart) {
        let kind: Kind
        var change: UInt64?
        switch part.kind {
        case .header: kind = .header
        case .keybag: kind = .keybag
        case .directory: kind = .directory
        case .sections: kind = .sections
        case .frame(let sequence): (kind, change) = (.frame, sequence)
        case .reserve: kind = .reserve
        case .unknown: kind = .unknown
        }
        self.init(kind, part.range, change: change, isDamaged: part.isDamaged)
    }
}
