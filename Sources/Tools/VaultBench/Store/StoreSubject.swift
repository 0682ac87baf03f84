/// A store of generic passwords that is measured.
protocol StoreSubject: AnyObject {
    var name: String { get }

    /// Fills an empty store with the items of these numbers.
    func load(_ numbers: Range<Int>) throws

    /// Adds items in one transaction, which survives a power failure if it is durable.
    func add(_ items: ArraySlice<PreparedItem>, isDurable: Bool) throws

    /// Returns the size of the secret of an item, or nil if there is no such item.
    func secretByteCount(of key: PreparedItem) throws -> Int?

    /// Whether the item exists; its secret is not opened.
    func contains(_ key: PreparedItem) throws -> Bool

    /// Returns the number of items with the service of `key`.
    func count(ofService key: PreparedItem) throws -> Int

    /// Returns the number of attributes of an item.
    func attributeCount(of key: PreparedItem) throws -> Int

    /// Returns the size of the file.
    func byteCount() throws -> Int
}

/// The paths and keys of the stores, which the processes of one run share.
struct StorePlace {
    /// A directory that is removed after the run.
    let directory: String

    var vault: String { "\(directory)/bench.coffer" }
    var deviceKey: String { "\(directory)/device.key" }
    var anchors: String { "\(directory)/anchors" }

    func database(_ kind: SQLiteSubject.Kind) -> String { "\(directory)/bench.\(kind.rawValue)" }
}
