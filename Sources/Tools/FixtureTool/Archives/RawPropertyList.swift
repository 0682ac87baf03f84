/// A binary property list assembled object by object, so that any part can be made wrong.
///
/// It shares no code with the writer that it helps to test.
struct RawPropertyList {
    /// The last 32 bytes.
    struct Trailer {
        var unused: [UInt8] = [0, 0, 0, 0, 0, 0]
        var offsetByteCount: UInt8
        var referenceByteCount: UInt8
        var objectCount: UInt64
        var topObject: UInt64 = 0
        var offsetTableOffset: UInt64
    }

    var header: [UInt8] = Array("bplist00".utf8)
    var objects: [RawObject]
    var referenceByteCount = 1
    var offsetByteCount: Int?
    /// Replaces the offset of the object with this number.
    var offsets: [Int: Int] = [:]
    /// Bytes between the last object and the offset table.
    var padding: [UInt8] = []
    /// Changes the trailer before it is written.
    var change: (inout Trailer) -> Void = { _ in }

    var bytes: [UInt8] {
        var bytes = header
        var table: [Int] = []
        for (number, object) in objects.enumerated() {
            table.append(offsets[number] ?? bytes.count)
            bytes += object.bytes(referenceByteCount: referenceByteCount)
        }
        bytes += padding
        let tableOffset = bytes.count
        let width = offsetByteCount ?? (tableOffset < 0x100 ? 1 : tableOffset < 0x1_0000 ? 2 : 4)
        for offset in table { bytes += bigEndian(UInt64(offset), width) }
        var trailer = Trailer(
            offsetByteCount: UInt8(width),
            referenceByteCount: UInt8(referenceByteCount),
            objectCount: UInt64(objects.count),
            offsetTableOffset: UInt64(tableOffset)
        )
        change(&trailer)
        bytes += trailer.unused + [trailer.offsetByteCount, trailer.referenceByteCount]
        bytes += bigEndian(trailer.objectCount, 8) + bigEndian(trailer.topObject, 8)
        return bytes + bigEndian(trailer.offsetTableOffset, 8)
    }
}

/// An object of a binary property list; parts are given by number.
enum RawObject {
    case bytes([UInt8])
    case int(Int64, byteCount: Int = 1)
    case real(Double)
    case date(Double)
    case data([UInt8])
    case ascii(String)
    case utf16([UInt16])
    case uid(UInt64, byteCount: Int = 1)
    case array([Int])
    case set([Int])
    case dictionary([(key: Int, value: Int)])

    func bytes(referenceByteCount: Int) -> [UInt8] {
        func references(_ numbers: [Int]) -> [UInt8] {
            numbers.flatMap { bigEndian(UInt64($0), referenceByteCount) }
        }
        switch self {
        case .bytes(let bytes): return bytes
        case .int(let value, let byteCount):
            return [0x10 | UInt8(byteCount.trailingZeroBitCount)] + bigEndian(UInt64(bitPattern: value), byteCount)
        case .real(let value): return [0x23] + bigEndian(value.bitPattern, 8)
        case .date(let value): return [0x33] + bigEndian(value.bitPattern, 8)
        case .data(let data): return marker(0x40, data.count) + data
        case .ascii(let text): return marker(0x50, text.utf8.count) + Array(text.utf8)
        case .utf16(let units): return marker(0x60, units.count) + units.flatMap { bigEndian(UInt64($0), 2) }
        case .uid(let value, let byteCount): return [0x80 | UInt8(byteCount - 1)] + bigEndian(value, byteCount)
        case .array(let parts): return marker(0xA0, parts.count) + references(parts)
        case .set(let parts): return marker(0xC0, parts.count) + references(parts)
        case .dictionary(let entries):
            return marker(0xD0, entries.count) + references(entries.map(\.key)) + references(entries.map(\.value))
        }
    }

    private func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
        switch count {
        case ..<15: [kind | UInt8(count)]
        case ..<0x100: [kind | 0x0F, 0x10] + bigEndian(UInt64(count), 1)
        case ..<0x1_0000: [kind | 0x0F, 0x11] + bigEndian(UInt64(count), 2)
        default: [kind | 0x0F, 0x12] + bigEndian(UInt64(count), 4)
        }
    }
}

/// Returns the low `byteCount` bytes of `value`, highest byte first.
func bigEndian(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) : 0 }
}
