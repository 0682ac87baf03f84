internal import CofferBasics

extension ArchiveValue {
    /// Overwrites texts and data, also those in arrays and dictionaries.
    package mutating func wipe() {
        switch self {
        case .string(var text):
            // The value must not hold the text beside the variable, which would be overwritten alone.
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
