/// Section 5.6: records that a snapshot carries as they are.
package struct Run: Equatable, Sendable {
    /// A record, and when it was written.
    package struct Entry: Equatable, Sendable {
        package var sequence: UInt64
        package var time: Time
        /// In history: the transaction that superseded or deleted the revision.
        package var ended: Ending?
        package var record: Record

        package init(sequence: UInt64, time: Time, ended: Ending? = nil, record: Record) {
            self.sequence = sequence
            self.time = time
            self.ended = ended
            self.record = record
        }
    }

    /// The transaction that made a revision a past one.
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

    private static func associatedData(_ section: SectionID, _ kind: Section.Kind) -> [UInt8] {
        var data = Label.run.bytes + section.bytes
        data.append(littleEndian: UInt32(kind == .history ? 3 : 2))
        return data
    }

    /// The run in its box, as the section `section`.
    package func sealed<Suite: CipherSuite>(
        section: SectionID,
        kind: Section.Kind,
        key: Suite.Key,
        suite: Suite
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for entry in entries {
            bytes.append(littleEndian: entry.sequence)
            bytes.append(littleEndian: entry.time.microseconds)
            bytes.append(littleEndian: entry.ended?.sequence ?? 0)
            bytes.append(littleEndian: entry.ended?.time.microseconds ?? 0)
            bytes += entry.record.encoded
        }
        return Box.sealed(
            bytes.span,
            key: key,
            associatedData: Self.associatedData(section, kind),
            suite: suite
        )
    }

    /// Opens the run that is `section`.
    package init<Suite: CipherSuite>(
        opening box: [UInt8],
        of section: Section,
        key: Suite.Key,
        suite: Suite
    ) throws(LocatedFault) {
        let content = try translating({ LocatedFault($0, at: 0) }) { () throws(Fault) in
            let associatedData = Self.associatedData(section.id, section.kind)
            return try Box.opened(box.span, key: key, associatedData: associatedData, suite: suite)
        }
        guard content.count <= Limits.runByteCount else {
            throw LocatedFault(.limitExceeded(.run, value: UInt64(content.count)), at: 0)
        }
        var reader = ByteReader(content)
        entries = []
        while reader.remainingByteCount > 0 {
            let start = reader.offset
            let entry = try Entry(from: &reader, isHistory: section.kind == .history)
            guard entries.last.map({ $0.sequence <= entry.sequence }) ?? true else {
                throw LocatedFault(.outOfOrder, at: start)
            }
            entries.append(entry)
        }
        guard entries.count == section.count else { throw LocatedFault(.disagrees, at: 0) }
    }
}

extension Run.Entry {
    fileprivate init(from reader: inout ByteReader, isHistory: Bool) throws(LocatedFault) {
        sequence = try reader.read()
        time = Time(microseconds: try reader.read())
        if isHistory {
            let start = reader.offset
            let ending = Run.Ending(sequence: try reader.read(), time: Time(microseconds: try reader.read()))
            // One transaction may write a revision and the next one too.
            guard ending.sequence >= sequence else { throw LocatedFault(.outOfOrder, at: start) }
            ended = ending
        } else {
            try reader.readZeros(16)
        }
        let start = reader.offset
        record = try Record(from: &reader)
        guard !isHistory || record.isPut else { throw LocatedFault(.badValue, at: start) }
    }
}

extension Record {
    fileprivate var isPut: Bool {
        if case .put = self { true } else { false }
    }
}
