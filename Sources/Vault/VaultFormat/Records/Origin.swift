internal import CofferBasics

/// Section 8.1: where a revision was written first, which tells copies of a vault whether they have seen it.
package struct Origin: Hashable, Sendable {
    package var writer: WriterID
    package var place: UInt64

    package init(writer: WriterID, place: UInt64) {
        self.writer = writer
        self.place = place
    }

    /// The bits of a place below the sequence number, for the number of the record in its transaction.
    private static let recordBits: UInt64 = 20
    /// Places are less than this.
    static let placeLimit: UInt64 = 1 << 63

    /// The place of record `record` of transaction `sequence`.
    package static func place(sequence: UInt64, record: Int) -> UInt64 { sequence << recordBits | UInt64(record) }

    static let byteCount = 16

    /// Whether a reader accepts it.
    var isValid: Bool { writer != .none && place > 0 && place < Self.placeLimit }

    /// Appends the 16 bytes.
    func append(to output: inout OutputSpan<UInt8>) {
        writer.append(to: &output)
        output.append(littleEndian: place)
    }

    init(from reader: inout ByteReader) throws(Fault) {
        let start = reader.offset
        writer = try reader.readShortIdentifier()
        place = try reader.read()
        guard isValid else { throw Fault(.badValue, at: start) }
    }
}

/// The last place of each writer that a copy of a group has seen.
package struct SeenPlaces: Equatable, Sendable {
    private var places: [WriterID: UInt64] = [:]

    package init() {}

    /// The last place of `writer`, or 0.
    package subscript(writer: WriterID) -> UInt64 { places[writer] ?? 0 }

    package mutating func insert(_ origin: Origin) {
        places[origin.writer] = max(self[origin.writer], origin.place)
    }

    /// The writers in ascending order, each with its last place.
    package var origins: [Origin] {
        places.map(Origin.init).sorted { $0.writer < $1.writer }
    }

    package var isEmpty: Bool { places.isEmpty }

    /// The number of writers.
    package var count: Int { places.count }

    package mutating func formUnion(_ other: SeenPlaces) {
        places.merge(other.places, uniquingKeysWith: max)
    }
}

extension ByteReader {
    /// Reads the places of `count` writers, which must be in order.
    mutating func readSeenPlaces(_ count: Int) throws(Fault) -> [Origin] {
        try Limit.writers.check(count, atMost: Limits.writerCount, at: offset)
        var origins: [Origin] = []
        origins.reserveCapacity(min(count, remainingByteCount / Origin.byteCount))
        for _ in 0..<count {
            let start = offset
            let origin = try Origin(from: &self)
            if let last = origins.last, last.writer >= origin.writer {
                throw Fault(.outOfOrder, at: start)
            }
            origins.append(origin)
        }
        return origins
    }
}
