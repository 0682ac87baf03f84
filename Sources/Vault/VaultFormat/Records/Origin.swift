internal import CofferBasics

/// Section 8.1: where a revision was written first, which tells copies of a vault whether they have seen it.
package struct Origin: Hashable, Sendable {
    package var writer: WriterID
    package var place: UInt64

    package init(writer: WriterID, place: UInt64) {
        self.writer = writer
        self.place = place
    }

    /// Places are less than this.
    package static let placeLimit: UInt64 = 1 << 63

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
package struct SeenPlaces: Sendable {
    /// Of writers that are not listed, all places up to this one count as seen.
    package private(set) var floor: UInt64 = 0
    /// A list as in a fence: in ascending order of the writers, the floor first as that of no writer.
    private var listed: [Origin] = []
    /// The places that were added to the list.
    private var later: [WriterID: UInt64] = [:]

    package init() {}

    /// What is in a list as in a fence.
    init(_ origins: [Origin]) {
        listed = origins
        if let first = origins.first, first.writer == .none { floor = first.place }
    }

    /// The last place of `writer`, or 0.
    package subscript(writer: WriterID) -> UInt64 { max(later[writer] ?? listedPlace(of: writer), floor) }

    private func listedPlace(of writer: WriterID) -> UInt64 {
        var low = 0
        var high = listed.count
        while low < high {
            let middle = (low + high) / 2
            if listed[middle].writer < writer { low = middle + 1 } else { high = middle }
        }
        return low < listed.count && listed[low].writer == writer ? listed[low].place : 0
    }

    package mutating func insert(_ origin: Origin) {
        guard origin.place > self[origin.writer] else { return }
        if origin.writer == .none { floor = origin.place } else { later[origin.writer] = origin.place }
    }

    /// The floor, if there is one, and the writers with places after it, in ascending order.
    package var origins: [Origin] {
        guard !later.isEmpty || floor > listedPlace(of: .none) else { return listed }
        var places = later
        for origin in listed where origin.writer != .none && places[origin.writer] == nil {
            places[origin.writer] = origin.place
        }
        let known = places.filter { $0.value > floor }.map(Origin.init).sorted { $0.writer < $1.writer }
        return floor == 0 ? known : [Origin(writer: .none, place: floor)] + known
    }

    package var isEmpty: Bool { floor == 0 && listed.isEmpty && later.isEmpty }

    /// The greatest place of all.
    package var greatest: UInt64 { max(listed.lazy.map(\.place).max() ?? 0, later.values.max() ?? 0, floor) }

    package mutating func formUnion(_ other: SeenPlaces) {
        guard !isEmpty else { return self = other }
        for origin in other.origins { insert(origin) }
    }

    /// A floor is at most this, so that there are always places after it.
    package static let greatestFloor = Origin.placeLimit / 2

    /// Section 10.1: lists no more than `count` writers, those with the greatest places; the floor replaces the others.
    func remembering(_ count: Int) -> SeenPlaces {
        let origins = origins
        let places = origins.filter { $0.writer != .none }.map(\.place).sorted(by: >)
        guard places.count > count else { return SeenPlaces(origins) }
        var kept = self
        kept.insert(Origin(writer: .none, place: min(places[count], Self.greatestFloor)))
        // So many after the greatest floor are not honest, and what they wrote may come back.
        return SeenPlaces(kept.origins.filter { $0.writer == .none || $0.place > places[count] })
    }
}

extension SeenPlaces: Equatable {
    package static func == (one: SeenPlaces, other: SeenPlaces) -> Bool { one.origins == other.origins }
}

extension ByteReader {
    /// Reads the places of `count` writers, which must be in order; the first can be the floor.
    mutating func readSeenPlaces(_ count: Int) throws(Fault) -> SeenPlaces {
        try Limit.writers.check(count, atMost: Limits.writerCount, at: offset)
        var origins: [Origin] = []
        origins.reserveCapacity(min(count, remainingByteCount / Origin.byteCount))
        var floor: UInt64 = 0
        for number in 0..<count {
            let start = offset
            let origin = Origin(writer: try readShortIdentifier(), place: try read())
            if number == 0, origin.writer == .none { floor = origin.place }
            guard origin.isValid || floor > 0 && number == 0, floor <= SeenPlaces.greatestFloor,
                number == 0 || origin.place > floor
            else { throw Fault(.badValue, at: start) }
            if let last = origins.last, last.writer >= origin.writer {
                throw Fault(.outOfOrder, at: start)
            }
            origins.append(origin)
        }
        return SeenPlaces(origins)
    }
}
