internal import CofferBasics

/// Section 5.1: how far back the states of a vault can be restored from its file.
///
/// The state after ``sequence``, and after each later transaction, is complete. Earlier states may lack items that a
/// replacement of the file has dropped.
package struct HistoryHorizon: Equatable, Sendable {
    static let byteCount = 16

    /// The sequence number of a transaction; 0 if nothing has been dropped since the vault was created.
    package let sequence: UInt64
    /// The time of that transaction.
    package let time: Time

    /// The horizon of a new vault, and of any vault that has dropped nothing yet.
    package static let beginning = HistoryHorizon(sequence: 0, time: Time(microseconds: 0))

    package init(sequence: UInt64, time: Time) {
        precondition(sequence > 0 || time.microseconds == 0, "sequence number 0 has the time 0")
        self.sequence = sequence
        self.time = time
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: sequence)
        bytes.append(littleEndian: time.microseconds)
        return bytes
    }

    /// Reads the horizon of a snapshot up to the transaction `baseSequence`.
    init(from reader: inout ByteReader, baseSequence: UInt64) throws(Fault) {
        let start = reader.offset
        sequence = try reader.read()
        guard sequence <= baseSequence else { throw Fault(.disagrees, at: start) }
        time = Time(microseconds: try reader.read())
        guard sequence > 0 || time.microseconds == 0 else { throw Fault(.badValue, at: start + 8) }
    }
}
