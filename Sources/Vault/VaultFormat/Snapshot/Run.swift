internal import CofferBasics
internal import VaultCrypto

/// Section 5.6: records that a snapshot carries unchanged.
package struct Run: Equatable, Sendable {
    /// A record and the transaction that wrote it.
    package struct Entry: Equatable, Sendable {
        package var sequence: UInt64
        package var time: Time
        package var record: Record

        package init(sequence: UInt64, time: Time, record: Record) {
            self.sequence = sequence
            self.time = time
            self.record = record
        }
    }

    /// The transaction that superseded or deleted a revision.
    package struct Ending: Equatable, Sendable {
        package var sequence: UInt64
        package var time: Time

        package init(sequence: UInt64, time: Time) {
            self.sequence = sequence
            self.time = time
        }
    }

    package var entries: [Entry]

    package init(entries: [Entry]) {
        self.entries = entries
    }

    fileprivate static func associatedData(_ section: SectionID) -> [UInt8] { Label.run.bytes + section.bytes }

    /// The entries in their encoded form.
    package var content: RunContent {
        var content = RunContent()
        for entry in entries { content.append(entry) }
        return content
    }

    /// Opens the run in `section`.
    package init(opening box: [UInt8], of section: Section, keys: GenerationKeys) throws(Fault) {
        var reader = try RunReader(opening: box, of: section, keys: keys)
        entries = []
        while let entry = try reader.next() { entries.append(entry) }
    }
}

/// The encoded entries of a run, in order; they take a fraction of the memory of values.
package struct RunContent: Sendable {
    package private(set) var count = 0
    private var bytes: [UInt8] = []
    private var lastSequence: UInt64 = 0

    package init() {}

    /// Whether `entry` can be appended: it fits and does not descend.
    package func hasRoom(for entry: Run.Entry) -> Bool {
        bytes.count + entry.byteCount <= Limits.runByteCount && entry.sequence >= lastSequence
    }

    package mutating func append(_ entry: Run.Entry) {
        entry.append(to: &bytes)
        count += 1
        lastSequence = entry.sequence
    }

    /// The run in its box, for the section with the id `section`.
    package func sealed(section: SectionID, keys: GenerationKeys) -> [UInt8] {
        let associatedData = Run.associatedData(section)
        return Box.sealed(bytes.span, key: keys.snapshot, associatedData: associatedData, cipher: keys.cipher)
    }
}

/// Reads the entries of a run one by one.
package struct RunReader {
    private var reader: ByteReader
    private let section: Section
    private var count = 0
    private var lastSequence: UInt64 = 0

    /// Opens the run in `section`.
    package init(opening box: [UInt8], of section: Section, keys: GenerationKeys) throws(Fault) {
        let associatedData = Run.associatedData(section.id)
        reader = try ByteReader(opening: box.span, key: keys.snapshot, associatedData: associatedData)
        try Limit.run.check(reader.end, atMost: Limits.runByteCount)
        self.section = section
    }

    /// The next entry, or nil at the end; throws there if the count differs from the directory's.
    package mutating func next() throws(Fault) -> Run.Entry? {
        guard reader.remainingByteCount > 0 else {
            guard count == section.count else { throw Fault(.disagrees) }
            return nil
        }
        let start = reader.offset
        let entry = try Run.Entry(from: &reader)
        guard entry.sequence >= lastSequence else { throw Fault(.outOfOrder, at: start) }
        lastSequence = entry.sequence
        count += 1
        return entry
    }
}

extension Run.Entry {
    /// The size of the entry in a run.
    package var byteCount: Int { 16 + record.byteCount }

    func append(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: sequence)
        bytes.append(littleEndian: time.microseconds)
        record.append(to: &bytes)
    }

    init(from reader: inout ByteReader) throws(Fault) {
        sequence = try reader.read()
        time = Time(microseconds: try reader.read())
        record = try Record(from: &reader)
    }
}
