/// A box of section 1.3 in which everything can be made wrong.
struct SketchBox {
    var key: [UInt8]
    var associatedData: [UInt8]
    var content: [UInt8]
    /// Replaces the length field.
    var length: UInt32?
    /// Replaces the size of the box.
    var byteCount: Int?
    /// The last byte of the padding.
    var lastPadding: UInt8 = 0

    typealias Edit = (inout SketchBox) -> Void

    init(_ key: [UInt8], _ associatedData: [UInt8], _ content: [UInt8], _ edit: Edit = { _ in }) {
        self.key = key
        self.associatedData = associatedData
        self.content = content
        edit(&self)
    }

    /// The text that is sealed.
    var text: [UInt8] {
        let byteCount = byteCount ?? pad(44 + content.count)
        var padding = zeros(max(0, byteCount - 44 - content.count))
        if !padding.isEmpty { padding[padding.count - 1] = lastPadding }
        return u32(length ?? UInt32(content.count)) + content + padding
    }

    /// The size of the box.
    var sealedByteCount: Int { text.count + 40 }

    func sealed(_ randomness: Randomness) -> [UInt8] {
        randomness.sealed(key, associatedData, text)
    }
}

// The ways in which a box can be wrong, each shown by its own vector.
extension SketchBox {
    static func lengthTooLong(_ box: inout SketchBox) { box.length = UInt32(box.text.count - 3) }
    static func lengthMaximal(_ box: inout SketchBox) { box.length = 0xFFFF_FFFF }
    static func oneUnitTooLong(_ box: inout SketchBox) { box.byteCount = pad(44 + box.content.count) + 64 }
    static func paddingNotZero(_ box: inout SketchBox) { box.lastPadding = 1 }
}

/// An item box of section 1.3 in which everything can be made wrong.
struct SketchItemBox {
    /// The size of the box is a multiple of this.
    var unit: Int
    var key: [UInt8]
    /// The end of the nonce: the revision salt and the revision.
    var nonceEnd: [UInt8]
    var associatedData: [UInt8]
    var content: [UInt8]
    /// The byte after the content.
    var mark: UInt8 = 0x80
    /// Replaces the size of the box.
    var byteCount: Int?
    /// The last byte of the zeros.
    var lastPadding: UInt8 = 0

    typealias Edit = (inout SketchItemBox) -> Void

    var fittingByteCount: Int { (content.count + 25 + unit - 1) / unit * unit }

    /// The text that is sealed.
    var text: [UInt8] {
        let text = content + [mark]
        var padding = zeros(max(0, (byteCount ?? fittingByteCount) - 24 - text.count))
        if !padding.isEmpty { padding[padding.count - 1] = lastPadding }
        return text + padding
    }

    /// The size of the box.
    var sealedByteCount: Int { text.count + 24 }

    func sealed(_ randomness: Randomness) -> [UInt8] {
        let start = Array(randomness.nonce(key, associatedData, text)[8..<16])
        return start + Primitives.aead(key, start + nonceEnd, associatedData, text)
    }

    // The ways in which an item box can be wrong.
    static func unmarked(_ box: inout SketchItemBox) { box.mark = 0x81 }
    static func allZeros(_ box: inout SketchItemBox) { (box.content, box.mark) = (zeros(box.content.count), 0) }
    static func oneUnitTooLong(_ box: inout SketchItemBox) { box.byteCount = box.fittingByteCount + box.unit }
    static func paddingNotZero(_ box: inout SketchItemBox) { box.lastPadding = 1 }
    static func otherKey(_ box: inout SketchItemBox) { box.key = zeros(32) }
}

extension VaultSketch {
    /// Returns a box of a part of a revision: 1 the match entry, 2 metadata, 3 the secret, 4 deflated metadata.
    func itemBox(
        _ part: Int,
        of itemID: [UInt8],
        _ revision: UInt64,
        salt: [UInt8],
        key: SketchDataKey,
        dictionaryID: [UInt8] = [],
        _ content: [UInt8]
    ) -> SketchItemBox {
        let key = part == 1 ? key.group.key("match") : key.key(part == 3 ? "secret" : "meta")
        let data = associatedData(itemID: itemID, revision: revision, salt: salt, part: part) + dictionaryID
        return SketchItemBox(
            unit: part == 3 ? 32 : 16,
            key: key,
            nonceEnd: salt + u64(revision),
            associatedData: data,
            content: content
        )
    }

    /// Returns the associated data of a box of an item.
    func associatedData(itemID: [UInt8], revision: UInt64, salt: [UInt8], part: Int) -> [UInt8] {
        label("item") + id + itemID + u64(revision) + salt + u32(part)
    }
}

/// The content of a secret box, section 8.4.
enum SketchSecret {
    case data([UInt8])
    /// Form 1: the data, and further binary attributes by name.
    case several([String: [UInt8]])
    /// Any bytes.
    case raw([UInt8])

    var content: [UInt8] {
        switch self {
        case .data(let data): [0] + data
        case .several(let parts): [1] + canonicalArchive(parts.mapValues { .scalar(.data($0)) })
        case .raw(let bytes): bytes
        }
    }

    /// The item data that a reader returns.
    var data: [UInt8]? {
        switch self {
        case .data(let data): data
        case .several(let parts): parts["v_Data"]
        case .raw: nil
        }
    }
}

/// Returns the canonical archive of a dictionary of `attributes`.
///
/// Four-letter names are the strings `54…`, and so are sorted by their bytes; `v_Data`, which is longer, comes last.
func canonicalArchive(_ attributes: [String: AppleValue]) -> [UInt8] {
    let entries = attributes.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }
    return AppleArchiver.archive(.dictionary(entries.map { (.string($0.key), $0.value) })).propertyList
}
