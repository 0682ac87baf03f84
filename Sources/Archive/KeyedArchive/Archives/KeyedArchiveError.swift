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
