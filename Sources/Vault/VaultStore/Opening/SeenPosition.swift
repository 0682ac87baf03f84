internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

/// How far the changes of a vault have been reported.
final class SeenPosition: Sendable {
    private let place: Guarded<OpenGeneration.Place>

    init(_ place: OpenGeneration.Place) {
        self.place = Guarded(place)
    }

    /// Returns what has changed since the last call, or nil if nothing has.
    func change(in store: VaultStore) throws -> VaultChange? {
        let (now, names) = try store.read { vault in
            let before = place.withLock { $0 }
            return (vault.place, try vault.itemsChanged(since: before))
        }
        let before = place.withLock { place in
            defer { place = now }
            return place
        }
        guard before != now else { return nil }
        guard let names else { return .everything }
        return names.isEmpty ? nil : .items(names)
    }
}

extension OpenGeneration {
    /// A position in the history of a vault.
    struct Place: Equatable, Sendable {
        var generation: UInt64
        var sequence: UInt64
        var tag: FrameTag
    }

    var place: Place { Place(generation: header.generation, sequence: position.sequence, tag: frames.tag) }

    /// Returns the items that records after `before` are about, or nil if that is unknown.
    mutating func itemsChanged(since before: Place) throws -> Set<ItemName>? {
        // A compaction changes nothing, unless it absorbed changes that have not been reported yet.
        let showsMessage = before.generation == header.generation || before.sequence >= header.baseSequence
        guard showsMessage, before.sequence <= position.sequence else { return nil }
        if let end = unreadLog.end, before.sequence < end.sequence { try completeLog() }
        return itemsChanged(after: before.sequence)
    }
}

extension VaultStore {
    /// Starts watching the vault for changes from now on.
    ///
    /// Where the system does not report changes, the file is polled at the interval `polling`.
    package func watch(polling: Duration = .seconds(1)) throws -> ChangeWatch {
        try serve {
            try ChangeWatch(self, polling: polling)
        }
    }
}
