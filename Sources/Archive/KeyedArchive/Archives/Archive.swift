internal import CofferBasics

/// A keyed archive: named values, one of which is usually called `root`.
///
/// `NSKeyedArchiver.archivedData(withRootObject:)` writes the single value `root`; an archiver that calls
/// `encode(_:forKey:)` several times writes one value per call. For a single `root`, `ArchiveValue.archived()` and
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

    /// Creates an archive that holds the given values.
    public init(top: CanonicalDictionary<String, ArchiveObject.Field>) {
        self.top = top
    }

    /// Reads an archive.
    ///
    /// - Parameters:
    ///   - bytes: The file, a binary property list.
    ///   - classes: The classes that may occur in addition to Foundation's value classes.
    ///   - limits: The limits on size, depth and number of values.
    /// - Throws: `KeyedArchiveError`, with the position of the invalid object.
    public init(
        _ bytes: [UInt8],
        allowing classes: AllowedClasses = .standard,
        limits: DecodingLimits = .standard
    ) throws(KeyedArchiveError) {
        var reader = try ArchiveReader(bytes, allowing: classes, limits: limits)
        top = try reader.top()
    }

    /// Returns the archive as a file; equal values always give the same bytes.
    ///
    /// The layout is that of Apple's archivers; `Spec/keyed-archive.md` describes it byte by byte.
    ///
    /// - Parameter limits: The limits on depth and size; a reader with the same limits accepts the result.
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
    ///   - classes: The classes that may occur in addition to Foundation's value classes.
    ///   - limits: The limits on size, depth and number of values.
    /// - Throws: `KeyedArchiveError`, with the position of the invalid object.
    public init(
        archive bytes: [UInt8],
        allowing classes: AllowedClasses = .standard,
        limits: DecodingLimits = .standard
    ) throws(KeyedArchiveError) {
        var reader = try ArchiveReader(bytes, allowing: classes, limits: limits)
        self = try reader.root()
    }

    /// Returns an archive with this value as its root; equal values always give the same bytes.
    ///
    /// `NSKeyedUnarchiver` can read the archive, but it takes the text `$null` for nil and supports only 64-bit
    /// integers.
    ///
    /// - Parameter limits: The limits on depth and size; a reader with the same limits accepts the result.
    /// - Returns: A binary property list.
    /// - Throws: `KeyedArchiveError`, if a limit is exceeded or a field of an object cannot be inline.
    public func archived(limits: DecodingLimits = .standard) throws(KeyedArchiveError) -> [UInt8] {
        if let entries = dictionary, let archive = FlatArchive.encoded(entries, limits: limits) { return archive }
        var flattener = ArchiveFlattener(limits: limits)
        try flattener.flatten(root: self)
        return try ArchiveWriter.encode(consume flattener)
    }
}

extension CanonicalDictionary<ArchiveValue, ArchiveValue> {
    /// Reads a dictionary from an archive, or returns nil if the archive is not what writing the dictionary gives.
    package init?(canonicalArchive bytes: [UInt8], limits: DecodingLimits) {
        if let entries = FlatArchiveReader.entries(in: bytes, limits: limits) {
            self = entries
            return
        }
        guard var value = try? ArchiveValue(archive: bytes, limits: limits) else { return nil }
        var again = (try? value.archived(limits: limits)) ?? []
        defer { again.wipe() }
        guard again == bytes, case .dictionary(let entries) = value else {
            value.wipe()
            return nil
        }
        self = entries
    }
}
