/// An invalid record, or an invalid item of a section, inside an intact structure.
package struct RecordFailure: Equatable, Sendable {
    package var place: RecordPlace
    package var fault: Fault.Reason

    package init(place: RecordPlace, fault: Fault.Reason) {
        self.place = place
        self.fault = fault
    }
}

/// The place of an invalid record or item.
package enum RecordPlace: Equatable, Sendable {
    case frame(sequence: UInt64, record: Int)
    case run(section: SectionID, record: Int)
    case section(SectionID, item: ItemID)
}

extension RecordFailure: CustomStringConvertible {
    /// Which record is ignored and why.
    package var description: String {
        "\(place) is invalid and ignored: \(fault); all other records still count, also earlier revisions of the item"
    }
}

extension RecordPlace: CustomStringConvertible {
    /// The place, by numbers and ids.
    package var description: String {
        switch self {
        case .frame(let sequence, let record): "record \(record) of change \(sequence)"
        case .run(let section, let record): "record \(record) of run \(section)"
        case .section(let section, let item): "item \(item) in section \(section)"
        }
    }
}
