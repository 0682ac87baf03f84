internal import CofferBasics

extension KeyedArchiveError: CustomStringConvertible {
    /// What is wrong and where, in one sentence; names are escaped, so the text is safe for a terminal.
    public var description: String {
        switch self {
        case .propertyList(let error): error.description
        case .notAKeyedArchive(let part): "this is not a keyed archive: \(part) is missing or of the wrong kind"
        case .unsupportedArchiver(let name): "the archive was written by \(name.printable), not by NSKeyedArchiver"
        case .unsupportedVersion(let version): "the archive has version \(version), and only 100000 is read"
        case .noTopValue(let name): "the archive has no value called \(name.printable)"
        case .referenceOutOfRange(let uid): "there is no object \(uid)"
        case .notAValue(let uid): "object \(uid) is not a value"
        case .malformedClass(let uid): "object \(uid) is not the description of a class"
        case .classNotAllowed(let name, let uid):
            "object \(uid) describes the class \(name.printable), which is not allowed"
        case .malformedObject(let className, let uid):
            "object \(uid) is not a sound \(className.printable): a field is missing or of the wrong kind"
        case .duplicateKey(uid: 0): "a part of the archive has a key twice"
        case .duplicateKey(let uid): "object \(uid) has a key twice"
        case .duplicateElement(let uid): "object \(uid), a set, has an element twice"
        case .cycle(let uid): "object \(uid) holds itself"
        case .tooDeep(let limit): "values lie more than \(limit) deep in one another"
        case .tooManyNodes(let limit): "there are more than \(limit) values, counting shared ones each time"
        case .fieldNotInline(let name): "the field \(name.printable) needs an object and cannot be inline"
        case .reservedFieldName: "no field can be called $class"
        case .classHasItsOwnCase(let name): "\(name.printable) cannot be written as an object by name"
        }
    }
}

extension KeyedArchiveError.Part: CustomStringConvertible {
    /// The name of the part in the archive.
    public var description: String {
        switch self {
        case .root: "the dictionary at the root"
        case .version: "$version"
        case .archiver: "$archiver"
        case .top: "$top"
        case .objects: "$objects"
        }
    }
}
