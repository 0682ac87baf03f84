/// A record, or an item of a section, that is not valid inside an intact structure.
package struct RecordFailure: Equatable, Sendable {
    package var place: RecordPlace
    package var fault: Fault

    package init(place: RecordPlace, fault: Fault) {
        self.place = place
        self.fault = fault
    }
}

/// Where a record is.
package enum RecordPlace: Equatable, Sendable {
    case frame(sequence: UInt64, record: Int)
    case run(section: SectionID, record: Int)
    case section(SectionID, item: ItemID)
}

extension RecordFailure: CustomStringConvertible {
    /// Which record does not count, and why; the others do.
    package var description: String {
        "\(place) cannot be used: \(fault); everything else is as it was, an earlier state of the item too"
    }
}

extension RecordPlace: CustomStringConvertible {
    /// Where a record is, by numbers and ids.
    package var description: String {
        switch self {
        case .frame(let sequence, let record): "part \(record) of change \(sequence)"
        case .run(let section, let record): "part \(record) of the run of changes \(section)"
        case .section(let section, let item): "item \(item) in section \(section)"
        }
    }
}
