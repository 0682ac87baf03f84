internal import CofferBasics

extension KeyedArchiveError: CustomStringConvertible {
    /// What is wrong and where, in one sentence; names are escaped, so the text can be printed to a terminal.
    public var description: String {
        switch self {
        case .propertyList(let error): error.description
        case .notAKeyedArchive(let part): "not a keyed archive: \(part) is missing or has the wrong type"
        case .unsupportedArchiver(let name): "unsupported archiver \(name.printable): expected NSKeyedArchiver"
        case .unsupportedVersion(let version): "unsupported archive version \(version): expected 100000"
        case .noTopValue(let name): "the archive has no value named \(name.printable)"
        case .referenceOutOfRange(let uid): "invalid reference: object \(uid) does not exist"
        case .notAValue(let uid): "object \(uid) is not a value"
        case .malformedClass(let uid): "object \(uid) is not a valid class description"
        case .classNotAllowed(let name, let uid):
            "object \(uid) describes the class \(name.printable), which is not allowed"
        case .malformedObject(let className, let uid):
            "object \(uid) is not a valid \(className.printable): a field is missing or has the wrong type"
        case .duplicateKey(uid: 0): "duplicate key in the root dictionary or in $top"
        case .duplicateKey(let uid): "duplicate key in object \(uid)"
        case .duplicateElement(let uid): "duplicate element in object \(uid), a set"
        case .cycle(let uid): "object \(uid) contains itself"
        case .tooDeep(let limit): "values are nested too deeply (limit \(limit))"
        case .tooManyNodes(let limit): "too many values (limit \(limit); shared values count each time)"
        case .fieldNotInline(let name): "the field \(name.printable) cannot be inline: its value needs its own object"
        case .reservedFieldName: "invalid field name: $class is reserved"
        case .classHasItsOwnCase(let name): "\(name.printable) cannot be written as a named object"
        }
    }
}

extension KeyedArchiveError.Part: CustomStringConvertible {
    /// The name of the part in the archive.
    public var description: String {
        switch self {
        case .root: "the root dictionary"
        case .version: "$version"
        case .archiver: "$archiver"
        case .top: "$top"
        case .objects: "$objects"
        }
    }
}
