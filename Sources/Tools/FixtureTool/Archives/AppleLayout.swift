/// A property list in the byte order of CoreFoundation's writer.
///
/// Starting at the root, each container is followed by its keys and then by its values, each value with everything it
/// contains; equal scalars are one object. All archives of `NSKeyedArchiver` on Apple's systems have this layout.
indirect enum AppleNode {
    case bool(Bool)
    case int(Int64)
    /// An integer beyond `Int64`.
    case wide(UInt64)
    case real(Double)
    case float(Float)
    case date(Double)
    case data([UInt8])
    case string(String)
    case uid(UInt64)
    case array([AppleNode])
    case dictionary([(String, AppleNode)])
    /// An object without references that no archiver would write here.
    case bare(RawObject)

    /// The binary property list with this node as its root.
    var propertyList: [UInt8] {
        var objects: [RawObject] = []
        var numberOfScalar: [[UInt8]: Int] = [:]
        _ = add(to: &objects, &numberOfScalar)
        return RawPropertyList(objects: objects, referenceByteCount: objects.count < 0x100 ? 1 : 2).bytes
    }

    private func add(to objects: inout [RawObject], _ numberOfScalar: inout [[UInt8]: Int]) -> Int {
        let number = objects.count
        switch self {
        case .array(let elements):
            objects.append(.array([]))
            objects[number] = .array(elements.map { $0.add(to: &objects, &numberOfScalar) })
        case .dictionary(let entries):
            objects.append(.array([]))
            let keys = entries.map { AppleNode.string($0.0).add(to: &objects, &numberOfScalar) }
            let values = entries.map { $0.1.add(to: &objects, &numberOfScalar) }
            objects[number] = .dictionary(zip(keys, values).map { (key: $0, value: $1) })
        default:
            let bytes = scalar.bytes(referenceByteCount: 1)
            if let known = numberOfScalar[bytes] { return known }
            numberOfScalar[bytes] = number
            objects.append(scalar)
        }
        return number
    }

    private var scalar: RawObject {
        switch self {
        case .bool(let value): .bytes([value ? 0x09 : 0x08])
        case .int(let value):
            switch value {
            case 0...0xFF: .int(value)
            case 0...0xFFFF: .int(value, byteCount: 2)
            case 0...0xFFFF_FFFF: .int(value, byteCount: 4)
            default: .int(value, byteCount: 8)
            }
        case .wide(let value): .bytes([0x14] + zeros(8) + bigEndian(value, 8))
        case .real(let value): .real(value)
        case .float(let value): .bytes([0x22] + bigEndian(UInt64(value.bitPattern), 4))
        case .date(let value): .date(value)
        case .data(let data): .data(data)
        case .string(let text):
            text.utf8.allSatisfy { $0 < 0x80 } ? .ascii(text) : .utf16(Array(text.utf16))
        case .bare(let object): object
        case .uid(let value): value < 0x100 ? .uid(value) : .uid(value, byteCount: 2)
        case .array, .dictionary: .bytes([])
        }
    }
}

extension AppleNode {
    /// Returns the archive whose `$objects` are `$null` and `objects`.
    static func archive(_ objects: [AppleNode], top: [(String, AppleNode)] = [("root", .uid(1))]) -> AppleNode {
        .whole(top: .dictionary(top), objects: .array([.string("$null")] + objects))
    }

    /// Returns an archive with these parts, leaving out those that are nil.
    static func whole(
        version: AppleNode? = .int(100_000),
        archiver: AppleNode? = .string("NSKeyedArchiver"),
        top: AppleNode? = .dictionary([]),
        objects: AppleNode? = .array([.string("$null")])
    ) -> AppleNode {
        let parts = [("$version", version), ("$archiver", archiver), ("$top", top), ("$objects", objects)]
        return .dictionary(parts.compactMap { name, part in part.map { (name, $0) } })
    }

    /// Returns a class description.
    static func `class`(_ names: String...) -> AppleNode {
        .dictionary([("$classname", .string(names[0])), ("$classes", .array(names.map { .string($0) }))])
    }

    /// Returns an instance of the class whose description has `classUID`.
    static func instance(_ classUID: UInt64, _ fields: (String, AppleNode)...) -> AppleNode {
        .dictionary(fields + [("$class", .uid(classUID))])
    }

    /// Returns a list of references.
    static func uids(_ uids: UInt64...) -> AppleNode {
        .array(uids.map { .uid($0) })
    }
}
