/// The keybag of section 3.
struct SketchKeybag {
    var entries: [SketchEntry] = []
    /// Replaces the number of entries.
    var count: UInt32?
    var reserved = zeros(4)
    /// Bytes after the last entry, before the zeros.
    var end: [UInt8] = []

    var bytes: [UInt8] {
        let bytes = u32(count ?? UInt32(entries.count)) + reserved + entries.flatMap(\.bytes) + end
        return Mutation.applied(to: bytes.filledToUnit)
    }

    mutating func append(_ entry: SketchEntry) { entries.append(entry) }

    /// Replaces the first entry of the same type.
    mutating func replace(with entry: SketchEntry) {
        guard let index = entries.firstIndex(where: { $0.type == entry.type }) else {
            preconditionFailure("there is no entry of type \(entry.type) to replace")
        }
        entries[index] = entry
    }

    mutating func remove(type: UInt16) { entries.removeAll { $0.type == type } }

    /// Changes the first entry of `type`.
    mutating func change(_ type: UInt16, _ edit: (inout SketchEntry) -> Void) {
        guard let index = entries.firstIndex(where: { $0.type == type }) else {
            preconditionFailure("there is no entry of type \(type) to change")
        }
        edit(&entries[index])
    }
}

/// An entry of the keybag.
struct SketchEntry {
    var type: UInt16
    var flags: UInt16 = 0
    /// Replaces the length of the body.
    var length: UInt32?
    var body: [UInt8]

    var bytes: [UInt8] { u16(type) + u16(flags) + u32(length ?? UInt32(body.count)) + body }

    /// Returns an entry of a type that no version defines.
    static func unknown(isCritical: Bool = false) -> SketchEntry {
        SketchEntry(type: 99, flags: isCritical ? 1 : 0, body: Array("from the future".utf8))
    }
}
