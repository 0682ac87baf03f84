/// Section 8.2: the order in which items were created.
enum CreationOrder {
    /// The bits below the sequence number, for the number of the record in its transaction.
    static let recordBits: UInt64 = 20

    /// Returns the transaction that added an item.
    static func sequence(of order: UInt64) -> UInt64 { order >> recordBits }

    /// Returns the order of an item that is added as record `record` of transaction `sequence`.
    static func order(sequence: UInt64, record: Int) -> UInt64 {
        sequence << recordBits | UInt64(record)
    }
}
