/// The content of a secret box, section 8.4.
enum SketchSecret {
    case data([UInt8])
    /// Form 1: the data, and further binary attributes by name.
    case several([String: [UInt8]])
    /// Any bytes.
    case raw([UInt8])

    var content: [UInt8] {
        switch self {
        case .data(let data): [0] + data
        case .several(let parts): [1] + canonicalArchive(parts.mapValues { .scalar(.data($0)) })
        case .raw(let bytes): bytes
        }
    }

    /// The item data that a reader returns.
    var data: [UInt8]? {
        switch self {
        case .data(let data): data
        case .several(let parts): parts["v_Data"]
        case .raw: nil
        }
    }
}

/// Returns the canonical archive of a dictionary of `attributes`.
///
/// Four-letter names are the strings `54…`, and so are sorted by their bytes; `v_Data`, which is longer, comes last.
func canonicalArchive(_ attributes: [String: AppleValue]) -> [UInt8] {
    let entries = attributes.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }
    return AppleArchiver.archive(.dictionary(entries.map { (.string($0.key), $0.value) })).propertyList
}
