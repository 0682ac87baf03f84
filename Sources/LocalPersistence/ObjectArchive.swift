public import KeyedArchive
// With it in the program, dates, data, UUIDs and URLs are in an archive what they are on Apple's systems.
internal import KeyedArchiveFoundation
internal import VaultFiles

/// The documents of an app: `Codable` values and graphs of objects, as the files that `NSKeyedArchiver` writes.
///
/// Each is a file of its own, `<key>.domain`, which is there whole or not at all, and durable when ``set(_:for:)`` returns.
/// Reading is bounded, whatever the file holds; one that cannot be read is an error, and stays as it is.
///
/// ```swift
/// try app.archive.set(notes, for: .notes)
/// let graph = try app.archive.object(named: "from a Mac", allowing: .named(["Note"]))
/// ```
///
/// A key becomes the name of a file by percent-encoding: letters, digits, `-` and `_` stand for themselves, and `.` behind
/// the first character does.
public final class ObjectArchive: PersistenceRung {
    /// How many bytes a key may take in the name of a file: with what stands around it a name has at most 255.
    public static let keyByteCountLimit = 240
    static let suffix = ".domain"

    private let files: KeptFiles
    /// Where the key of encrypted documents is.
    private let keyPlace: SecretPlace
    /// What encrypts; nil where nothing is encrypted.
    private let seal: ArchiveSeal?

    init(_ files: KeptFiles, keyPlace: SecretPlace, seal: ArchiveSeal? = nil) {
        self.files = files
        self.keyPlace = keyPlace
        self.seal = seal
    }

    /// The same documents, but that what is written by it is encrypted, with a key in the keychain of the container.
    ///
    /// What was written before is read as it is, and what is written without it is not encrypted. Without the key, or while it
    /// is locked, what is encrypted can be neither read nor written; the key is made when the first document is written, and
    /// never replaced.
    ///
    /// ```swift
    /// let diary = app.archive.encrypted()
    /// try diary.set(pages, for: .pages)
    /// ```
    ///
    /// - Parameter group: The access group of the key's item; nil for the first of the program.
    /// - Returns: The documents.
    public func encrypted(group: String? = nil) -> ObjectArchive {
        var place = keyPlace
        place.group = group
        return ObjectArchive(files, keyPlace: keyPlace, seal: ArchiveSeal(place))
    }

    // MARK: - Values

    /// The value for `key`; nil if there is none.
    public func value<Value: Codable & Sendable>(
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) -> Value? {
        guard let bytes = try content(named: key.name) else { return nil }
        do {
            return try ArchiveDecoder().decode(Value.self, from: bytes)
        } catch let error as KeyedArchiveError where !error.isOfAnotherValue {
            throw .damaged(path: path(named: key.name), reason: "\(error)")
        } catch {
            throw .cannotDecode("\(Value.self)")
        }
    }

    /// Keeps `value`, and returns when it is durable.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) {
        let bytes: [UInt8]
        do {
            bytes = try ArchiveEncoder().encode(value)
        } catch {
            // What the error says may be the value.
            throw .cannotEncode("\(Value.self)")
        }
        try write(bytes, named: key.name)
    }

    /// Forgets the value for `key`.
    public func remove<Value>(_ key: PersistenceKey<Value>) throws(PersistenceError) {
        try remove(named: key.name)
    }

    // MARK: - Objects

    /// The graph of objects with a name, such as one that an app on a Mac has archived; nil if there is none.
    ///
    /// A graph in which an object leads back to itself, such as a child that knows its parent, is refused.
    ///
    /// ```swift
    /// let note = try app.archive.object(named: "from a Mac", allowing: .named(["Note"]))
    /// let title = note?["title"]?.string
    /// ```
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - classes: Which classes may occur beside Foundation's value classes.
    /// - Returns: The object at the root.
    /// - Throws: ``PersistenceError/damaged(path:reason:)`` if it is no archive, or has other classes; it stays.
    public func object(
        named name: String,
        allowing classes: AllowedClasses = .standard
    ) throws(PersistenceError) -> ArchiveValue? {
        try graph(named: name) { bytes throws(KeyedArchiveError) in try ArchiveValue(archive: bytes, allowing: classes)
        }
    }

    /// All objects of the graph with a name, where an app has archived several by names of their own; nil if there is none.
    ///
    /// ```swift
    /// let record = try app.archive.objects(named: "record", allowing: .named(["CKRecordID", "CKRecordZoneID"]))
    /// ```
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - classes: Which classes may occur beside Foundation's value classes.
    /// - Returns: The objects, by their names.
    /// - Throws: ``PersistenceError/damaged(path:reason:)`` if it is no archive, or has other classes; it stays.
    public func objects(
        named name: String,
        allowing classes: AllowedClasses = .standard
    ) throws(PersistenceError) -> Archive? {
        try graph(named: name) { bytes throws(KeyedArchiveError) in try Archive(bytes, allowing: classes) }
    }

    private func graph<Graph>(
        named name: String,
        _ read: ([UInt8]) throws(KeyedArchiveError) -> Graph
    ) throws(PersistenceError) -> Graph? {
        guard let bytes = try content(named: name) else { return nil }
        do throws(KeyedArchiveError) {
            return try read(bytes)
        } catch {
            throw .damaged(path: path(named: name), reason: "\(error)")
        }
    }

    /// Keeps a graph of objects, and returns when it is durable.
    ///
    /// ```swift
    /// try app.archive.setObject(["title": "Shopping", "lines": ["coffee"]], named: "for a Mac")
    /// ```
    ///
    /// - Parameters:
    ///   - object: The object at the root.
    ///   - name: Its name.
    /// - Throws: Why it is not kept; what there was before is there then.
    public func setObject(_ object: ArchiveValue, named name: String) throws(PersistenceError) {
        try setObjects(Archive(top: ["root": .reference(object)]), named: name)
    }

    /// Keeps several objects, each by a name of its own, in one file, and returns when it is durable.
    ///
    /// ```swift
    /// try app.archive.setObjects(Archive(top: ["name": .reference("Kim"), "logins": .inline(12)]), named: "user")
    /// ```
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - name: The name of the file.
    /// - Throws: Why they are not kept; what there was before is there then.
    public func setObjects(_ objects: Archive, named name: String) throws(PersistenceError) {
        let bytes: [UInt8]
        do throws(KeyedArchiveError) {
            bytes = try objects.encoded()
        } catch {
            throw .cannotEncode("Archive")
        }
        try write(bytes, named: name)
    }

    /// Forgets what has a name; that there is nothing is no error.
    ///
    /// ```swift
    /// try app.archive.remove(named: "from a Mac")
    /// ```
    ///
    /// - Parameter name: The name.
    /// - Throws: Why it is still there.
    public func remove(named name: String) throws(PersistenceError) {
        let file = try fileName(name)
        guard try files.isMade() else { return }
        try files.write { writing throws(PersistenceError) in try writing.remove(file) }
    }

    /// The names of all that is kept.
    ///
    /// ```swift
    /// let drafts = try app.archive.names().filter { $0.hasPrefix("draft ") }
    /// ```
    ///
    /// - Returns: The names, in no order.
    /// - Throws: Why the directory cannot be read.
    public func names() throws(PersistenceError) -> [String] {
        try files.names().compactMap { ArchiveFileName.key(of: $0) }
    }

    // MARK: - Files

    private func fileName(_ key: String) throws(PersistenceError) -> String {
        let name = ArchiveFileName.encoded(key)
        guard !key.isEmpty, name.utf8.count <= Self.keyByteCountLimit else {
            throw .invalidKey(key, byteCountLimit: Self.keyByteCountLimit)
        }
        return name + Self.suffix
    }

    private func path(named name: String) -> String { files.path + "/" + ArchiveFileName.encoded(name) + Self.suffix }

    private func content(named name: String) throws(PersistenceError) -> [UInt8]? {
        let file = try fileName(name)
        let limit = DecodingLimits.standard.byteCount + ArchiveSeal.overhead
        guard case .bytes(let bytes, _) = try files.content(of: file, byteCountLimit: limit) else { return nil }
        guard ArchiveSeal.isSealed(bytes) else { return Self.binary(bytes) }
        guard let seal else { throw .encrypted(path: path(named: name)) }
        return try seal.opened(bytes, name: name, path: path(named: name))
    }

    /// An archive that was written as XML, as Apple's archivers do if they are told to, as the binary one that it stands for.
    private static func binary(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.starts(with: "bplist".utf8), let list = try? PropertyList(xml: bytes) else { return bytes }
        return (try? list.binaryEncoded()) ?? bytes
    }

    private func write(_ bytes: [UInt8], named name: String) throws(PersistenceError) {
        let file = try fileName(name)
        // To open a vault may take long, and others are to write meanwhile.
        try seal?.openVault { () throws(PersistenceError) in try isAnySealed() }
        try files.write { writing throws(PersistenceError) in
            guard let seal else { return try writing.replace(file, with: bytes.span) }
            let sealed = try seal.sealed(bytes, name: name) { () throws(PersistenceError) in try isAnySealed() }
            try writing.replace(file, with: sealed.span)
        }
    }

    /// Whether something was encrypted with a key that must not be replaced by another.
    private func isAnySealed() throws(PersistenceError) -> Bool {
        for file in try files.names() where file.hasSuffix(Self.suffix) {
            if try files.starts(file, with: ArchiveSeal.magic) { return true }
        }
        return false
    }
}

/// Keys as names of files.
enum ArchiveFileName {
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// A key, with a percent sign and two hexadecimal digits for each byte that does not stand for itself.
    static func encoded(_ key: String) -> String {
        var name: [UInt8] = []
        for byte in key.utf8 {
            if plain.contains(byte) || byte == UInt8(ascii: ".") && !name.isEmpty {
                name.append(byte)
            } else {
                name += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// The key that a file is named after; nil if it is named after none.
    static func key(of file: String) -> String? {
        guard file.hasSuffix(ObjectArchive.suffix) else { return nil }
        let name = Array(file.utf8.dropLast(ObjectArchive.suffix.utf8.count))
        var bytes: [UInt8] = []
        var index = 0
        while index < name.count {
            guard name[index] == UInt8(ascii: "%") else {
                bytes.append(name[index])
                index += 1
                continue
            }
            guard index + 2 < name.count, let high = digits.firstIndex(of: name[index + 1]),
                let low = digits.firstIndex(of: name[index + 2])
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
            index += 3
        }
        // One name for each key: what is encoded otherwise was not written here.
        guard let key = String(validating: bytes, as: UTF8.self), !key.isEmpty, encoded(key).utf8.elementsEqual(name)
        else { return nil }
        return key
    }
}

extension KeyedArchiveError {
    /// Whether the archive may be a sound one that holds something else: objects of other classes, or none at the root.
    fileprivate var isOfAnotherValue: Bool {
        switch self {
        case .noTopValue, .classNotAllowed, .cycle: true
        default: exceedsLimit
        }
    }
}
