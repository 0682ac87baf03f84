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
