/// Why a binary property list could not be read or written.
///
/// Offsets count bytes from the start of the file and point to the invalid object.
public enum PropertyListError: Error, Equatable, Sendable {
    // MARK: The file as a whole

    /// The file is larger than the limit.
    case tooLarge(byteCount: Int, limit: Int)
    /// The file does not begin with `bplist`.
    case notABinaryPropertyList
    /// The file is a binary property list of a version other than `00`.
    case unsupportedVersion(UInt8, UInt8)
    /// The file is too short to hold a header, an object and a trailer.
    case tooShort(byteCount: Int)
    /// A field of the trailer contradicts the size of the file or another field.
    case invalidTrailer(TrailerField)

    // MARK: Objects

    /// The file declares more objects than the limit.
    case tooManyObjects(count: UInt64, limit: Int)
    /// The offset table places an object outside the object area.
    case objectOffsetOutOfBounds(object: Int)
    /// An object reaches beyond the object area.
    case truncated(offset: Int)
    /// An object begins with a marker that version `00` does not define.
    case unknownMarker(UInt8, offset: Int)
    /// The count of an object is not an integer, or is larger than the file.
    case invalidCount(offset: Int)
    /// Strings and data overlap so much that together they are larger than the file.
    case overlappingObjects(offset: Int)
    /// A string is not valid ASCII or UTF-16.
    case invalidString(offset: Int)
    /// A reference does not fit in 32 bits.
    case uidOutOfRange(offset: Int)
    /// A container refers to an object that does not exist.
    case referenceOutOfRange(offset: Int)
    /// The key of a dictionary is not a string.
    case keyIsNotAString(offset: Int)
    /// A dictionary has the same key twice.
    case duplicateKey(offset: Int)
    /// A set has the same element twice.
    case duplicateElement(offset: Int)
    /// A container contains itself, directly or through others.
    case cycle(offset: Int)

    // MARK: Limits on values, reading and writing

    /// Values are nested more deeply than the limit.
    case tooDeep(limit: Int)
    /// There are more values than the limit once references are followed.
    case tooManyNodes(limit: Int)

    /// Whether a limit was exceeded, so that larger limits might help.
    public var exceedsLimit: Bool {
        switch self {
        case .tooLarge, .tooManyObjects, .tooDeep, .tooManyNodes: true
        default: false
        }
    }

    /// A field of the 32-byte trailer of a binary property list.
    public enum TrailerField: Sendable {
        /// The number of bytes in an entry of the offset table.
        case offsetByteCount
        /// The number of bytes in a reference to an object.
        case referenceByteCount
        /// The number of objects.
        case objectCount
        /// The number of the root object.
        case topObject
        /// The offset of the offset table.
        case offsetTableOffset
    }
}
