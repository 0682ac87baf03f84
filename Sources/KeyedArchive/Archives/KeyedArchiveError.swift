/// Why a keyed archive could not be read or written.
///
/// A `uid` is the position of the object at fault in the archive's `$objects`.
public enum KeyedArchiveError: Error, Equatable, Sendable {
    /// The bytes are not a sound binary property list, or exceed its limits.
    case propertyList(PropertyListError)

    // MARK: The archive as a whole

    /// A part that every keyed archive has is absent or of the wrong kind.
    case notAKeyedArchive(Part)
    /// The archive says that another archiver than `NSKeyedArchiver` wrote it.
    case unsupportedArchiver(String)
    /// The archive has another version than 100000.
    case unsupportedVersion(Int128)
    /// The archive has no value under this name at its top.
    case noTopValue(String)

    // MARK: Objects

    /// A reference names an object that does not exist.
    case referenceOutOfRange(uid: UInt32)
    /// What stands at this place is no value: a class description, or a bare collection.
    case notAValue(uid: UInt32)
    /// A class description lacks its name or its list of classes, or the two disagree.
    case malformedClass(uid: UInt32)
    /// A class that the caller does not allow.
    case classNotAllowed(String, uid: UInt32)
    /// A field that objects of this class have is absent or of the wrong kind.
    case malformedObject(className: String, uid: UInt32)
    /// A dictionary or an object has the same key twice; UID 0 stands for the parts of the archive itself.
    case duplicateKey(uid: UInt32)
    /// A set has the same element twice.
    case duplicateElement(uid: UInt32)
    /// An object holds itself, directly or through others.
    case cycle(uid: UInt32)

    // MARK: Limits on values, reading and writing

    /// Values lie deeper in one another than the limit.
    case tooDeep(limit: Int)
    /// There are more values, once references are followed, than the limit.
    case tooManyNodes(limit: Int)

    // MARK: Writing

    /// A value that needs an object of its own was given as an inline field.
    case fieldNotInline(String)

    /// A field of an object was called `$class`, under which an archive keeps the class of the object.
    case reservedFieldName
    /// An object was given the name of a class whose values are another case of `ArchiveValue`.
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
        /// The dictionary that is the root of the property list.
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
