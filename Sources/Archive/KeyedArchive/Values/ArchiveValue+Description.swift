extension ArchiveValue: CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind of value and the number of its parts, but never its content, which may be a secret.
    public var description: String {
        switch self {
        case .array(let elements): "\(kind) of \(elements.count)"
        case .set(let elements): "\(kind) of \(elements.count)"
        case .dictionary(let entries): "\(kind) of \(entries.count)"
        case .object(let object): "\(kind) with \(object.fields.count) fields"
        case .null, .bool, .integer, .real, .string, .data, .date, .uuid, .url: kind
        }
    }

    /// The same as `description`: secrets do not belong in debuggers or logs either.
    public var debugDescription: String { description }
}

extension PropertyList: CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind of value and the number of its parts, but never its content, which may be a secret.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .real: "a real number"
        case .date: "a date"
        case .data: "data"
        case .string: "a string"
        case .uid: "a reference"
        case .array(let elements): "an array of \(elements.count)"
        case .set(let elements): "a set of \(elements.count)"
        case .dictionary(let entries): "a dictionary of \(entries.count)"
        }
    }

    /// The same as `description`: secrets do not belong in debuggers or logs either.
    public var debugDescription: String { description }
}

extension ArchiveValue {
    /// The kind of value, for messages, which never show the value itself.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .real: "a real number"
        case .string: "a string"
        case .data: "data"
        case .date: "a date"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .array: "an array"
        case .set: "a set"
        case .dictionary: "a dictionary"
        case .object: "an object"
        }
    }
}
