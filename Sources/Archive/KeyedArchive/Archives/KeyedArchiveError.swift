internal import CofferBasics

/// Why a keyed archive could not be read or written.
///
/// A `uid` is the position of the invalid object in the archive's `$objects`.
public enum KeyedArchiveError: Error, Equatable, Sendable {
    /// The bytes are not a valid binary property list, or exceed a limit.
    case propertyList(PropertyListError)

    // MARK: The archive as a whole

    /// A part that every keyed archive has is missing or has the wrong type.
    case notAKeyedArchive(Part)
    /// The archive was written by an archiver other than `NSKeyedArchiver`.
    case unsupportedArchiver(String)
    /// The version of the archive is not 100000.
    case unsupportedVersion(Int128)
    /// The archive has no value with this name at its top.
    case noTopValue(String)

    // MARK: Objects

    /// A reference points to an object that does not exist.
    case referenceOutOfRange(uid: UInt32)
    /// The object is not a value but a class description or a bare collection.
    case notAValue(uid: UInt32)
    /// A class description lacks its name or its list of classes, or the two disagree.
    case malformedClass(uid: UInt32)
    /// The caller does not allow this class.
    case classNotAllowed(String, uid: UInt32)
    /// A field that objects of this class have is missing or has the wrong type.
    case malformedObject(className: String, uid: UInt32)
    /// A dictionary or an object has the same key twice; UID 0 stands for the root dictionary and `$top`.
    case duplicateKey(uid: UInt32)
    /// A set has the same element twice.
    case duplicateElement(uid: UInt32)
    /// An object contains itself, directly or through others.
    case cycle(uid: UInt32)

    // MARK: Limits on values, reading and writing

    /// Values are nested more deeply than the limit.
    case tooDeep(limit: Int)
    /// There are more values than the limit once references are followed.
    case tooManyNodes(limit: Int)

    // MARK: Writing

    /// A value that needs its own object was given as an inline field.
    case fieldNotInline(String)

    /// A field of an object is named `$class`, which an archive reserves for the class of the object.
    case reservedFieldName
    /// An object has the name of a class whose values have their own case in `ArchiveValue`.
    case classHasItsOwnCase(String)

    /// Whether a limit was exceeded, so that larger limits might help.
    public var exceedsLimit: Bool {
        switch self {
        case .propertyList(let error): error.exceedsLimit
        case .tooDeep, .tooManyNodes: true
        default: false
        }
    }

    /// A part that every keyed archive has.
    public enum Part: Sendable {
        /// The root dictionary of the property list.
        case root
        /// `$version`, an integer.
        case version
        /// `$archiver`, a string.
        case archiver
        /// `$top`, a dictionary.
        case top
        /// `$objects`, an array that begins with `$null`.
        case objects
    }
}

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
