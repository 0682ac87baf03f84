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
