/// The names that keyed archives are built from.
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

    /// What `$version` says.
    static let versionNumber: Int128 = 100_000

    /// The name as it stands in archives.
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

    /// The name that `text` is, if it is one.
    init?(text: Span<UInt8>) {
        guard text.count < Self.byByteCount.count else { return nil }
        for (name, bytes) in Self.byByteCount[text.count] where CanonicalOrder.bytes(bytes.span, text) == .same {
            self = name
            return
        }
        return nil
    }

    /// The names and their bytes, by how many bytes they have.
    private static let byByteCount: [[(name: ArchiveName, bytes: [UInt8])]] = (0...15).map { count in
        allCases.filter { $0.text.utf8.count == count }.map { ($0, Array($0.text.utf8)) }
    }

    /// A table in which each name has its raw value as number, so that writers need not look names up.
    static var scalars: ScalarTable { known.table }

    /// The number in this table of what `$version` says.
    static var versionScalar: Int { known.version }

    /// The number in this table of the name of a class.
    static func scalar(of class: StandardClass) -> Int { known.classes[`class`.rawValue] }

    private static let known: (table: ScalarTable, version: Int, classes: [Int]) = {
        var table = ScalarTable()
        for name in allCases { _ = table.number(of: .string(name.text)) }
        let version = table.number(of: .integer(versionNumber))
        let classes = StandardClass.allCases.map { table.number(of: .string($0.name)) }
        return (table, version, classes)
    }()
}
