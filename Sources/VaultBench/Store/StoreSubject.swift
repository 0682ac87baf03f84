/// A store of generic passwords whose work is measured.
protocol StoreSubject: AnyObject {
    var name: String { get }

    /// Fills an empty store with the items of these numbers.
    func load(_ numbers: Range<Int>) throws

    /// Adds items in one transaction, which survives a power failure if it is durable.
    func add(_ items: ArraySlice<PreparedItem>, isDurable: Bool) throws

    /// The size of the secret of an item, or nil if there is no such item.
    func secretByteCount(of key: PreparedItem) throws -> Int?

    /// Whether there is an item; its secret stays closed.
    func contains(_ key: PreparedItem) throws -> Bool

    /// How many items have the service of `key`.
    func count(ofService key: PreparedItem) throws -> Int

    /// How many attributes an item has.
    func attributeCount(of key: PreparedItem) throws -> Int

    /// The size of the file.
    func byteCount() throws -> Int
}

/// The places and keys of the stores, which the processes of one run share.
struct StorePlace {
    /// A directory that is removed after the run.
    let directory: String

    var vault: String { "\(directory)/bench.coffer" }
    var deviceKey: String { "\(directory)/device.key" }
    var anchors: String { "\(directory)/anchors" }

    func database(_ kind: SQLiteSubject.Kind) -> String { "\(directory)/bench.\(kind.rawValue)" }
}
