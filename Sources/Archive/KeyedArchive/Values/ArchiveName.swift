/// The fixed names that occur in keyed archives.
enum ArchiveName: Int, CaseIterable {
    case null
    case version
    case archiver
    case top
    case objects
    case root
    case archiverName
    case `class`
    case className
    case classes
    case rootClass
    case elements
    case keys
    case time
    case uuidBytes
    case urlBase
    case urlText
    case string
    case stringBytes
    case data
    case attributedText
    case boolValue
    case integerValue
    case realValue

    /// The value of `$version`.
    static let versionNumber: Int128 = 100_000

    /// The name as it appears in archives.
    var text: String {
        switch self {
        case .null: "$null"
        case .version: "$version"
        case .archiver: "$archiver"
        case .top: "$top"
        case .objects: "$objects"
        case .root: "root"
        case .archiverName: "NSKeyedArchiver"
        case .class: "$class"
        case .className: "$classname"
        case .classes: "$classes"
        case .rootClass: "NSObject"
        case .elements: "NS.objects"
        case .keys: "NS.keys"
        case .time: "NS.time"
        case .uuidBytes: "NS.uuidbytes"
        case .urlBase: "NS.base"
        case .urlText: "NS.relative"
        case .string: "NS.string"
        case .stringBytes: "NS.bytes"
        case .data: "NS.data"
        case .attributedText: "NSString"
        case .boolValue: "NS.boolval"
        case .integerValue: "NS.intval"
        case .realValue: "NS.dblval"
        }
    }

    /// Makes the name that `text` spells, if any.
    init?(text: Span<UInt8>) {
        guard text.count < Self.byByteCount.count else { return nil }
        for (name, bytes) in Self.byByteCount[text.count] where CanonicalOrder.bytes(bytes.span, text) == .same {
            self = name
            return
        }
        return nil
    }

    /// The names and their bytes, indexed by byte count.
    private static let byByteCount: [[(name: ArchiveName, bytes: [UInt8])]] = (0...15).map { count in
        allCases.filter { $0.text.utf8.count == count }.map { ($0, Array($0.text.utf8)) }
    }

    /// A table in which the number of each name is its raw value, so that writers need no lookup.
    static var scalars: ScalarTable { known.table }

    /// The number of the `$version` value in this table.
    static var versionScalar: Int { known.version }

    /// Returns the number of a class name in this table.
    static func scalar(of class: StandardClass) -> Int { known.classes[`class`.rawValue] }

    private static let known: (table: ScalarTable, version: Int, classes: [Int]) = {
        var table = ScalarTable()
        for name in allCases { _ = table.number(of: .string(name.text)) }
        let version = table.number(of: .integer(versionNumber))
        let classes = StandardClass.allCases.map { table.number(of: .string($0.name)) }
        return (table, version, classes)
    }()
}
