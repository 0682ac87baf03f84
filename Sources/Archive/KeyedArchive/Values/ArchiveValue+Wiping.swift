internal import CofferBasics

extension ArchiveValue {
    /// Overwrites texts and data with zeros, including those in arrays and dictionaries.
    package mutating func wipe() {
        switch self {
        case .string(var text):
            // If `self` still held the text too, wiping the variable would overwrite only a copy.
            self = .null
            text.wipe()
            self = .string(text)
        case .data(var bytes):
            self = .null
            bytes.wipe()
        case .array(var elements):
            self = .null
            for index in elements.indices { elements[index].wipe() }
        case .dictionary(var entries):
            self = .null
            entries.wipeValues()
        case .null, .bool, .integer, .real, .date, .uuid, .url, .set, .object: break
        }
    }
}
