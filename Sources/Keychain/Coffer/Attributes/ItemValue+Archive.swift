internal import KeyedArchive
internal import VaultFormat

extension ItemValue {
    /// The value as it is stored in an archive, or nil if it cannot be stored there.
    var archived: ArchiveValue? {
        switch self {
        case .string(let text): .string(text)
        case .data(let bytes): .data(bytes)
        case .integer(let number): .integer(Int128(number))
        case .real(let number): .real(number)
        case .bool(let flag): .integer(flag ? 1 : 0)
        case .date(let seconds): .date(secondsSinceReferenceDate: seconds)
        case .accessControl(let control): control.stored?.archived
        case .array, .null, .other: nil
        }
    }

    /// The value that an archive contains.
    init(_ value: ArchiveValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .data(let bytes): .data(bytes)
            case .integer(let number): Int64(exactly: number).map { .integer($0) } ?? .other
            case .real(let number): .real(number)
            case .date(let seconds): .date(secondsSinceReferenceDate: seconds)
            default: .other
            }
    }
}
