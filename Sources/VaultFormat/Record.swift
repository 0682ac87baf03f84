/// Section 8: one change, as it stands in a frame or a run.
package enum Record: Equatable, Sendable {
    case put(Put)
    case delete(Delete)
    case key(KeybagEntry)
    case settings(body: [UInt8])
    /// A record of a kind that this version does not know and need not know.
    case unknown(kind: UInt8, body: [UInt8])
    /// A record that cannot be read, with its head: whoever carries it must not make it better than it is.
    case malformed(bytes: [UInt8], LocatedFault)

    static let headByteCount = 8
    private static let putKind: UInt8 = 1
    private static let deleteKind: UInt8 = 2
    private static let keyKind: UInt8 = 3
    private static let settingsKind: UInt8 = 4

    /// Kind, flags, size and body.
    package var encoded: [UInt8] {
        switch self {
        case .put(let put): Self.encoded(Self.putKind, put.body)
        case .delete(let delete): Self.encoded(Self.deleteKind, delete.body)
        case .key(let entry): Self.encoded(Self.keyKind, entry.encoded)
        case .settings(let body): Self.encoded(Self.settingsKind, body)
        case .unknown(let kind, let body): Self.encoded(kind, body)
        case .malformed(let bytes, _): bytes
        }
    }

    private static func encoded(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [kind, 0, 0, 0]
        bytes.append(littleEndian: UInt32(body.count))
        return bytes + body
    }

    /// Reads a record; only what makes all that follows unreadable, or is unknown and critical, is an error.
    init(from reader: inout ByteReader) throws(LocatedFault) {
        let start = reader.offset
        var whole = reader
        let kind = try reader.read(UInt8.self)
        let flags = try reader.read(UInt8.self)
        let reserved = try reader.read(UInt16.self)
        var part = try reader.readPart(try reader.readCount())
        let isKnown = (Self.putKind...Self.settingsKind).contains(kind)
        guard isKnown || flags & 1 == 0 else {
            throw LocatedFault(.unsupported(.record(kind: Int(kind))), at: start)
        }
        do throws(LocatedFault) {
            guard flags == 0, reserved == 0 else { throw LocatedFault(.reservedNotZero, at: start + 1) }
            self = try Self.parsed(kind: kind, body: &part)
            try part.expectEnd()
        } catch {
            self = .malformed(bytes: try whole.readBytes(reader.offset - start), error)
        }
    }

    private static func parsed(kind: UInt8, body: inout ByteReader) throws(LocatedFault) -> Record {
        switch kind {
        case putKind: return .put(try Put(body: &body))
        case deleteKind: return .delete(try Delete(body: &body))
        case keyKind:
            let start = body.offset
            let entry = try KeybagEntry(from: &body)
            guard entry.mayBeAppended else { throw LocatedFault(.badValue, at: start) }
            return .key(entry)
        case settingsKind: return .settings(body: try body.readBytes(body.remainingByteCount))
        default: return .unknown(kind: kind, body: try body.readBytes(body.remainingByteCount))
        }
    }
}
