/// The class that a name in an archive stands for.
enum ArchiveClass {
    /// One of Foundation's value classes, which have their own cases in `ArchiveValue`.
    case standard(StandardClass)
    /// Any other class, by its name and the names of its superclasses.
    case named(String, superclassNames: [String])
}

/// Foundation's value classes; mutable variants read as the same class.
enum StandardClass: Int, CaseIterable {
    case null
    case string
    case attributedString
    case number
    case data
    case date
    case uuid
    case url
    case array
    case set
    case dictionary

    /// Makes the class with this name, or `nil` if it is not one of Foundation's value classes.
    init?(name: String) {
        guard let known = Self.byName[name] else { return nil }
        self = known
    }

    private static let byName: [String: StandardClass] = [
        "NSNull": .null,
        "NSString": .string,
        "NSMutableString": .string,
        "NSAttributedString": .attributedString,
        "NSMutableAttributedString": .attributedString,
        "NSNumber": .number,
        "NSData": .data,
        "NSMutableData": .data,
        "NSDate": .date,
        "NSUUID": .uuid,
        "NSURL": .url,
        "NSArray": .array,
        "NSMutableArray": .array,
        "NSSet": .set,
        "NSMutableSet": .set,
        "NSDictionary": .dictionary,
        "NSMutableDictionary": .dictionary,
    ]

    /// The name of the immutable class.
    var name: String {
        switch self {
        case .null: "NSNull"
        case .string: "NSString"
        case .attributedString: "NSAttributedString"
        case .number: "NSNumber"
        case .data: "NSData"
        case .date: "NSDate"
        case .uuid: "NSUUID"
        case .url: "NSURL"
        case .array: "NSArray"
        case .set: "NSSet"
        case .dictionary: "NSDictionary"
        }
    }
}

/// The classes that a reader accepts.
///
/// Foundation's value classes are always accepted, since each has a case in `ArchiveValue`; any other class must be
/// allowed by name before an archive may contain it.
public struct AllowedClasses: Sendable, Hashable {
    /// The names allowed in addition to Foundation's value classes, or `nil` for all names.
    private let names: CanonicalSet<String>?

    /// Foundation's value classes and nothing else.
    public static let standard = AllowedClasses(names: [])

    /// All classes.
    ///
    /// This is safe, since nothing is instantiated, but the caller must check the names.
    public static let any = AllowedClasses(names: nil)

    /// Returns Foundation's value classes and the classes with the given names.
    public static func named(_ names: CanonicalSet<String>) -> AllowedClasses {
        AllowedClasses(names: names)
    }

    func contains(_ name: String) -> Bool {
        names?.contains(name) ?? true
    }
}
