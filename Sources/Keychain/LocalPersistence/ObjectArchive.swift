public import Coffer
internal import CofferBasics
public import KeyedArchive
// Linking it makes archives hold dates, data, UUIDs and URLs as Apple's systems do.
internal import KeyedArchiveFoundation
internal import VaultFiles

/// The documents of an app: `Codable` values and graphs of objects, stored as files that `NSKeyedArchiver` could write.
///
/// Each document is one file, `<key>.domain`. It is complete or missing, never partial, and durable when
/// ``set(_:for:)`` returns. Reading is bounded whatever the file holds; a file that cannot be read causes an error and
/// is left unchanged.
///
/// ```swift
/// try app.archive.set(notes, for: .notes)
/// let graph = try app.archive.object(named: "from a Mac", allowing: .named(["Note"]))
/// ```
///
/// A key becomes a file name by percent-encoding: letters, digits, `-` and `_` stand for themselves, as does `.` unless
/// it is the first character.
public final class ObjectArchive: PersistenceRung {
    /// The maximum size of a percent-encoded key in bytes: with the suffix and what a temporary name adds, a file
    /// name has at most 255.
    public static let keyByteCountLimit = 240
    static let suffix = ".domain"

    private let files: AtomicFiles
    /// The place of the key for encrypted documents.
    private let keyPlace: KeychainService
    /// Encrypts documents; nil if documents are not encrypted.
    private let seal: ArchiveSeal?

    init(_ files: AtomicFiles, keyPlace: KeychainService, seal: ArchiveSeal? = nil) {
        self.files = files
        self.keyPlace = keyPlace
        self.seal = seal
    }

    /// Returns the same documents, but encrypts those that are written through it.
    ///
    /// The key is in the container's keychain. It is created with the first encrypted document and never replaced; if
    /// it is missing or locked, encrypted documents can be neither read nor written. Documents that were written before
    /// are read as they are, and writing through the original object does not encrypt.
    ///
    /// There is one key for all documents, so its accessibility is that of all. A new key is readable after the first
    /// unlock unless you choose otherwise; an existing one keeps its accessibility until a document is written with
    /// another one. For iOS's complete protection choose `.whenUnlocked`, before the first document is written: a key that
    /// was easier to read stays so in the history of the vault.
    ///
    /// ```swift
    /// let diary = app.archive.encrypted(accessibility: .whenUnlocked)
    /// try diary.set(pages, for: .pages)
    /// ```
    ///
    /// - Parameters:
    ///   - group: The access group of the key's item; nil for the first of the program.
    ///   - accessibility: When the key is readable, from the next document that is written; nil to leave a key as it is
    ///     and make a new one readable after the first unlock.
    /// - Returns: The documents, with encryption.
    public func encrypted(group: String? = nil, accessibility: Accessibility? = nil) -> ObjectArchive {
        var place = keyPlace
        place.group = group
        return ObjectArchive(files, keyPlace: keyPlace, seal: ArchiveSeal(place, accessibility))
    }

    // MARK: - Values

    /// Returns the value for `key`; nil if none exists.
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

    /// Stores `value`, and returns when it is durable.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) {
        let bytes: [UInt8]
        do {
            bytes = try ArchiveEncoder().encode(value)
        } catch {
            // The error may contain the value.
            throw .cannotEncode("\(Value.self)")
        }
        try write(bytes, named: key.name)
    }

    /// Removes the value for `key`.
    public func remove<Value>(_ key: PersistenceKey<Value>) throws(PersistenceError) {
        try remove(named: key.name)
    }

    // MARK: - Objects

    /// Returns the graph of objects with a name, such as one archived by an app on a Mac; nil if none exists.
    ///
    /// A graph in which an object refers back to itself, such as a child that refers to its parent, is rejected.
    ///
    /// ```swift
    /// let note = try app.archive.object(named: "from a Mac", allowing: .named(["Note"]))
    /// let title = note?["title"]?.string
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the graph.
    ///   - classes: The classes that may occur in addition to Foundation's value classes.
    /// - Returns: The object at the root.
    /// - Throws: ``PersistenceError/damaged(path:reason:)`` if the file is not an archive or has other
    ///   classes; it is left unchanged.
    public func object(
        named name: String,
        allowing classes: AllowedClasses = .standard
    ) throws(PersistenceError) -> ArchiveValue? {
        try graph(named: name) { bytes in try ArchiveValue(archive: bytes, allowing: classes) }
    }

    /// Returns the objects of a file in which an app has archived several by name; nil if none exists.
    ///
    /// ```swift
    /// let record = try app.archive.objects(named: "record", allowing: .named(["CKRecordID", "CKRecordZoneID"]))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - classes: The classes that may occur in addition to Foundation's value classes.
    /// - Returns: The archive with the objects and their names.
    /// - Throws: ``PersistenceError/damaged(path:reason:)`` if the file is not an archive or has other
    ///   classes; it is left unchanged.
    public func objects(
        named name: String,
        allowing classes: AllowedClasses = .standard
    ) throws(PersistenceError) -> Archive? {
        try graph(named: name) { bytes in try Archive(bytes, allowing: classes) }
    }

    private func graph<Graph>(
        named name: String,
        _ read: ([UInt8]) throws -> Graph
    ) throws(PersistenceError) -> Graph? {
        guard let bytes = try content(named: name) else { return nil }
        do {
            return try read(bytes)
        } catch {
            throw .damaged(path: path(named: name), reason: "\(error)")
        }
    }

    /// Stores a graph of objects, and returns when it is durable.
    ///
    /// ```swift
    /// try app.archive.setObject(["title": "Shopping", "lines": ["coffee"]], named: "for a Mac")
    /// ```
    ///
    /// - Parameters:
    ///   - object: The object at the root.
    ///   - name: The name of the graph.
    /// - Throws: ``PersistenceError`` if the graph cannot be stored; the former one then remains.
    public func setObject(_ object: ArchiveValue, named name: String) throws(PersistenceError) {
        try setObjects(Archive(top: ["root": .reference(object)]), named: name)
    }

    /// Stores several objects, each under its own name, in one file, and returns when they are durable.
    ///
    /// ```swift
    /// try app.archive.setObjects(Archive(top: ["name": .reference("Kim"), "logins": .inline(12)]), named: "user")
    /// ```
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - name: The name of the file.
    /// - Throws: ``PersistenceError`` if the objects cannot be stored; the former ones then remain.
    public func setObjects(_ objects: Archive, named name: String) throws(PersistenceError) {
        let bytes: [UInt8]
        do {
            bytes = try objects.encoded()
        } catch {
            throw .cannotEncode("Archive")
        }
        try write(bytes, named: name)
    }

    /// Removes the document with a name, if there is one.
    ///
    /// ```swift
    /// try app.archive.remove(named: "from a Mac")
    /// ```
    ///
    /// - Parameter name: The name of the document.
    /// - Throws: ``PersistenceError`` if it cannot be removed.
    public func remove(named name: String) throws(PersistenceError) {
        let file = try fileName(name)
        guard try files.directoryExists() else { return }
        try files.write { writing in try writing.remove(file) }
    }

    /// Returns the names of all documents.
    ///
    /// ```swift
    /// let drafts = try app.archive.names().filter { $0.hasPrefix("draft ") }
    /// ```
    ///
    /// - Returns: The names, in no particular order.
    /// - Throws: ``PersistenceError`` if the directory cannot be read.
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
        return try PersistenceError.converting { try seal.opened(bytes, name: name, path: path(named: name)) }
    }

    /// Converts an archive in XML, which Apple's archivers write on request, to the equivalent binary one.
    private static func binary(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.starts(with: "bplist".utf8), let list = try? PropertyList(xml: bytes) else { return bytes }
        return (try? list.binaryEncoded()) ?? bytes
    }

    private func write(_ bytes: [UInt8], named name: String) throws(PersistenceError) {
        let file = try fileName(name)
        // Opening a vault may take long; until then, other writers should not wait for the lock.
        try PersistenceError.converting { try seal?.openVault { try hasEncryptedDocument() } }
        try files.write { writing in
            guard let seal else { return try writing.replace(file, with: bytes.span) }
            let sealed = try seal.sealed(bytes, name: name) { try hasEncryptedDocument() }
            try writing.replace(file, with: sealed.span)
        }
    }

    /// Whether a document is encrypted, so that its key must not be replaced.
    private func hasEncryptedDocument() throws -> Bool {
        for file in try files.names() where file.hasSuffix(Self.suffix) {
            if try files.starts(file, with: ArchiveSeal.magic) { return true }
        }
        return false
    }
}

/// File names for keys.
enum ArchiveFileName {
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The key, with a percent sign and two hexadecimal digits for each byte that does not stand for itself.
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

    /// The key that a file is named after; nil if the name is not an encoded key.
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
        // Each key has one name; a name encoded in another way was not written here.
        guard let key = String(validating: bytes, as: UTF8.self), !key.isEmpty, encoded(key).utf8.elementsEqual(name)
        else { return nil }
        return key
    }
}

extension KeyedArchiveError {
    /// Whether the archive may be intact but hold something else: objects of other classes, or none at the root.
    fileprivate var isOfAnotherValue: Bool {
        switch self {
        case .noTopValue, .classNotAllowed, .cycle: true
        default: exceedsLimit
        }
    }
}
