/// The content of a metadata block, section 5.5.
struct SketchBlock {
    var method: UInt8
    var reserved = zeros(3)
    var rawLength: UInt32
    var payload: [UInt8]

    init(raw: [UInt8], isCompressed: Bool) {
        method = isCompressed ? 1 : 0
        rawLength = UInt32(raw.count)
        payload = isCompressed ? Primitives.deflated(raw) : raw
    }

    var content: [UInt8] { [method] + reserved + u32(rawLength) + payload }
}

/// An entry of the block list, section 5.7.
struct SketchPart {
    var kind: UInt8
    var reserved = zeros(3)
    var count: UInt32
    var offset: UInt32 = 0
    var length: UInt32 = 0
    var handle = zeros(8)
    var check: [UInt8]
    var bytes: [UInt8]

    init(kind: UInt8, count: UInt32, handle: [UInt8] = zeros(8), bytes: [UInt8]) {
        self.kind = kind
        self.count = count
        self.handle = handle
        self.bytes = bytes
        length = UInt32(bytes.count / 64)
        check = H(16, nil, "file", bytes)
    }

    var entry: [UInt8] { [kind] + reserved + u32(count) + u32(offset) + u32(length) + handle + check }

    /// Places `parts` one after another.
    static func place(_ parts: inout [SketchPart], from start: Int) {
        var offset = UInt32(start / 64)
        for index in parts.indices {
            parts[index].offset = offset
            offset += parts[index].length
        }
    }
}

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
