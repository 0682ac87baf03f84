internal import Coffer

/// All parts of a vault file of the same kind and condition: a row of the legend of a map.
struct MapRow {
    let kind: VaultMap.Part.Kind
    let isDamaged: Bool
    private(set) var byteCount = 0
    private(set) var partCount = 0
    /// The numbers of the first and the last change in frames.
    private var changes: (first: UInt64, last: UInt64)?

    private mutating func add(_ part: VaultMap.Part) {
        byteCount += part.range.count
        partCount += 1
        if let change = part.change { changes = (changes?.first ?? change, change) }
    }

    /// What the parts are called together.
    var name: String {
        kind == .frame ? partCount.counted("frame") : kind.rawValue
    }

    /// What anyone can see of the parts, and what only a key opens.
    func facts(_ outline: VaultOutline?) -> String {
        switch (kind, isDamaged) {
        case (.header, true): "damaged, so keybag and snapshot are not found"
        case (.frame, true): "out of place: a change is missing or repeated"
        case (.unknown, true): "no frame, although later changes follow"
        case (_, true): outline == nil ? "cut off" : "damaged"
        case (.header, false): outline.map { "vault \($0.id), generation \($0.generation)" } ?? "intact"
        case (.keybag, false): outline?.keybagCounts ?? "intact"
        case (.directory, false): "its size; the list of sections is sealed"
        case (.sections, false): "total size; items and history are sealed"
        case (.frame, false): "\(changeNumbers): sizes only, items are sealed"
        case (.reserve, false): "all zeros, room for later changes"
        case (.unknown, false) where outline == nil: "keybag and snapshot, and what else is no frame"
        case (.unknown, false): "unfinished change or damage; needs a key"
        }
    }

    private var changeNumbers: String {
        guard let changes, changes.first != changes.last else { return "change \(changes?.first ?? 0)" }
        return "changes \(changes.first) to \(changes.last)"
    }
}

extension MapRow {
    /// The rows for the parts of `map`, in the order in which the first of each begins.
    static func rows(_ map: VaultMap) -> [MapRow] {
        var rows: [MapRow] = []
        for part in map.parts {
            let known = rows.firstIndex { $0.kind == part.kind && $0.isDamaged == part.isDamaged }
            if known == nil { rows.append(MapRow(kind: part.kind, isDamaged: part.isDamaged)) }
            rows[known ?? rows.count - 1].add(part)
        }
        return rows
    }
}

extension VaultOutline {
    /// How many of what anyone can count there are in the keybag.
    var keybagCounts: String {
        [
            slots.count.counted("slot"), devices.count.counted("machine"), groupCount.counted("group"),
            grantCount.counted("grant"),
        ].joined(separator: ", ")
    }
}

extension VaultMap {
    /// What is damaged, as far as that can be seen without a key, and what to do.
    var damageTexts: [String] {
        var texts = damage.filter { !$0.isUnknownTail }.map(\.description)
        let places = parts.filter { $0.isDamaged && ($0.kind == .frame || $0.kind == .unknown) }
        if let first = places.first {
            let more = places.count > 1 ? " and in \((places.count - 1).counted("more place"))" : ""
            texts.append(
                """
                the log is damaged at byte \(first.range.lowerBound)\(more): a change was altered, removed or \
                repeated; `coffer verify` tells more
                """
            )
        }
        return texts
    }
}
