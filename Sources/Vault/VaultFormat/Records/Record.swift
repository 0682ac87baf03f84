internal import CofferBasics

/// Section 8: one change, in a frame or a run.
package enum Record: Equatable, Sendable {
    // The largest by far: inline, every record would take its size.
    indirect case put(Put)
    case delete(Delete)
    indirect case key(KeybagEntry)
    case settings(body: [UInt8])
    case seen(Seen)
    /// A record of an unknown kind that is not critical.
    case unknown(kind: UInt8, body: [UInt8])
    /// A record that cannot be parsed, with all its bytes: if they changed, it might become one that can.
    case malformed([UInt8], Fault)

    private static let putKind: UInt8 = 1
    private static let deleteKind: UInt8 = 2
    private static let keyKind: UInt8 = 3
    private static let settingsKind: UInt8 = 4
    private static let seenKind: UInt8 = 5

    private static let headByteCount = 8

    /// Kind, flags, size and body.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// The size of ``encoded``.
    package var byteCount: Int {
        switch self {
        case .put(let put): Self.headByteCount + put.bodyByteCount
        case .malformed(let bytes, _): bytes.count
        case .delete, .key, .settings, .seen, .unknown: encoded.count
        }
    }

    /// Appends kind, flags, size and body.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .put(let put):
            Self.appendHead(Self.putKind, bodyByteCount: put.bodyByteCount, to: &bytes)
            put.appendBody(to: &bytes)
        case .delete(let delete): Self.append(Self.deleteKind, delete.body, to: &bytes)
        case .key(let entry): Self.append(Self.keyKind, entry.encoded, to: &bytes)
        case .settings(let body): Self.append(Self.settingsKind, body, to: &bytes)
        case .seen(let seen): Self.append(Self.seenKind, seen.body, to: &bytes)
        case .unknown(let kind, let body): Self.append(kind, body, to: &bytes)
        case .malformed(let malformed, _): bytes += malformed
        }
    }

    private static func append(_ kind: UInt8, _ body: [UInt8], to bytes: inout [UInt8]) {
        appendHead(kind, bodyByteCount: body.count, to: &bytes)
        bytes += body
    }

    private static func appendHead(_ kind: UInt8, bodyByteCount: Int, to bytes: inout [UInt8]) {
        bytes.append(littleEndian: UInt32(kind))
        bytes.append(littleEndian: UInt32(bodyByteCount))
    }

    /// Whether the kind of the record is put, whether it is valid or not.
    var isPut: Bool {
        switch self {
        case .put: true
        case .malformed(let bytes, _): bytes.first == Self.putKind
        case .delete, .key, .settings, .seen, .unknown: false
        }
    }

    /// Reads a record; throws only if it is cut short, or is of an unknown kind and critical.
    init(from reader: inout ByteReader) throws(Fault) {
        let start = reader.offset
        let kind = try reader.read(UInt8.self)
        let flags = try reader.read(UInt8.self)
        let reserved = try reader.read(UInt16.self)
        var part = try reader.readPart(try reader.readCount())
        let isKnown = (Self.putKind...Self.seenKind).contains(kind)
        guard isKnown || flags & 1 == 0 else {
            throw Fault(.unsupported(.record(kind: Int(kind))), at: start)
        }
        do throws(Fault) {
            guard flags == 0, reserved == 0 else { throw Fault(.reservedNotZero, at: start + 1) }
            self = try Self.parsed(kind: kind, body: &part)
            try part.expectEnd()
        } catch {
            self = .malformed(Array(reader.bytes[start..<reader.offset]), error)
        }
    }

    private static func parsed(kind: UInt8, body: inout ByteReader) throws(Fault) -> Record {
        switch kind {
        case putKind: return .put(try Put(body: &body))
        case deleteKind: return .delete(try Delete(body: &body))
        case keyKind:
            let start = body.offset
            let entry = try KeybagEntry(from: &body)
            guard entry.mayBeAppended else { throw Fault(.badValue, at: start) }
            return .key(entry)
        case settingsKind:
            guard body.remainingByteCount >= Settings.leastByteCount else {
                throw Fault(.tooShort, at: body.offset)
            }
            return .settings(body: try body.readBytes(body.remainingByteCount))
        case seenKind: return .seen(try Seen(body: &body))
        default: return .unknown(kind: kind, body: try body.readBytes(body.remainingByteCount))
        }
    }
}
