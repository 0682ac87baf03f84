/// A keyed archive: values by name, one of them usually called `root`.
///
/// `NSKeyedArchiver.archivedData(withRootObject:)` writes the single value `root`; an archiver that is told
/// `encode(_:forKey:)` several times writes as many values. For the first kind, `ArchiveValue.archived()` and
/// `ArchiveValue(archive:)` are shorter.
///
/// ```swift
/// let archive = Archive(top: ["user": .reference("kim"), "logins": .inline(12)])
/// let bytes = try archive.encoded()
/// let again = try Archive(bytes)
/// again.top["logins"]  // .inline(12)
/// ```
public struct Archive: Sendable, Hashable {
    /// The values at the top of the archive.
    public var top: CanonicalDictionary<String, ArchiveObject.Field>

    /// Makes an archive of the given values.
    public init(top: CanonicalDictionary<String, ArchiveObject.Field>) {
        self.top = top
    }

    /// Reads an archive.
    ///
    /// - Parameters:
    ///   - bytes: The file, a binary property list.
    ///   - classes: Which classes may occur beside Foundation's value classes.
    ///   - limits: What to accept.
    /// - Throws: `KeyedArchiveError`, with the position of the object at fault.
    public init(
        _ bytes: [UInt8],
        allowing classes: AllowedClasses = .standard,
        limits: DecodingLimits = .standard
    ) throws(KeyedArchiveError) {
        var reader = try ArchiveReader(bytes, allowing: classes, limits: limits)
        top = try reader.top()
    }

    /// The archive as a file: always the same bytes for equal values.
    ///
    /// `Spec/keyed-archive.md` gives the layout byte by byte; it is the one that Apple's archivers write.
    ///
    /// - Parameter limits: How deep and how large the values may be, so that a reader with the same limits takes them.
    /// - Returns: A binary property list.
    /// - Throws: `KeyedArchiveError`, if a limit is exceeded or a field cannot be inline.
    public func encoded(limits: DecodingLimits = .standard) throws(KeyedArchiveError) -> [UInt8] {
        var flattener = ArchiveFlattener(limits: limits)
        try flattener.flatten(top: top)
        return try ArchiveWriter.encode(consume flattener)
    }
}

extension ArchiveValue {
    /// Reads the root value of an archive.
    ///
    /// - Parameters:
    ///   - bytes: The file, a binary property list.
    ///   - classes: Which classes may occur beside Foundation's value classes.
    ///   - limits: What to accept.
    /// - Throws: `KeyedArchiveError`, with the position of the object at fault.
    public init(
        archive bytes: [UInt8],
        allowing classes: AllowedClasses = .standard,
        limits: DecodingLimits = .standard
    ) throws(KeyedArchiveError) {
        var reader = try ArchiveReader(bytes, allowing: classes, limits: limits)
        self = try reader.root()
    }

    /// An archive with this value as its root: always the same bytes for equal values.
    ///
    /// `NSKeyedUnarchiver` reads it, but takes the text `$null` for nil and has integers of 64 bits only.
    ///
    /// - Parameter limits: How deep and how large the value may be, so that a reader with the same limits takes it.
    /// - Returns: A binary property list.
    /// - Throws: `KeyedArchiveError`, if a limit is exceeded or a field of an object cannot be inline.
    public func archived(limits: DecodingLimits = .standard) throws(KeyedArchiveError) -> [UInt8] {
        var flattener = ArchiveFlattener(limits: limits)
        try flattener.flatten(root: self)
        return try ArchiveWriter.encode(consume flattener)
    }
}
