internal import CofferBasics
internal import VaultFormat

/// What was seen of the writers of each group that was needed so far, up to the position in the log.
///
/// A group is known once its fences have been read. Of one with a damaged fence it is unknown what was seen, so nothing
/// in it is out of order.
struct SeenGroups: Sendable {
    private var places: [GroupID: SeenPlaces] = [:]
    private var withDamagedFence: Set<GroupID> = []
    /// The greatest place that was seen in any of the groups.
    private var greatest: UInt64 = 0

    /// The known groups.
    var groups: Dictionary<GroupID, SeenPlaces>.Keys { places.keys }
    var hasDamagedFence: Bool { !withDamagedFence.isEmpty }

    func knows(_ group: GroupID) -> Bool { places[group] != nil }

    /// What was seen in a group; nothing if the group is not known.
    subscript(group: GroupID) -> SeenPlaces { places[group] ?? SeenPlaces() }

    /// Makes a group known: the fences of the snapshot have seen `fenced`, and those of an index `indexed`.
    mutating func begin(_ group: GroupID, fenced: SeenPlaces, indexed: [SeenPlaces], isDamaged: Bool) {
        let seen = indexed.reduce(into: fenced) { $0.formUnion($1) }
        places[group] = seen
        greatest = max(greatest, seen.greatest)
        if isDamaged { withDamagedFence.insert(group) }
    }

    /// Notes the place of a record that counts.
    mutating func insert(_ origin: Origin, in group: GroupID) {
        places[group, default: SeenPlaces()].insert(origin)
        greatest = max(greatest, origin.place)
    }

    /// Section 18.5: the place of the next revision that `writer` writes in a group at this time, after `last`.
    func nextPlace(of writer: WriterID, in group: GroupID, at time: Time, after last: UInt64) -> UInt64 {
        let after = max(min(greatest, SeenPlaces.greatestFloor), self[group][writer], last)
        return max(UInt64(max(time.microseconds, 0)), after + 1)
    }

    /// Replaces what was seen in a group.
    mutating func replace(_ seen: SeenPlaces, in group: GroupID) { places[group] = seen }

    /// Whether a fence can list the writers of each group.
    var fitIntoFences: Bool { places.values.allSatisfy { $0.origins.count <= Limits.writerCount } }

    /// Whether a put follows what was seen of its writer, so that it is neither repeated nor ahead of one left out.
    ///
    /// With `mayLack`, something that was written before the put may not have been read.
    func isNext(_ provenance: Provenance, in group: GroupID, mayLack: Bool) -> Bool {
        guard !withDamagedFence.contains(group) else { return true }
        let seen = self[group][provenance.origin.writer]
        return seen < provenance.origin.place && (mayLack || provenance.previousPlace <= seen)
    }
}
