/// What a class name in an archive stands for.
enum ArchiveClass {
    /// One of Foundation's value classes, which have cases of their own in `ArchiveValue`.
    case standard(StandardClass)
    /// Any other class, by its name and those of its superclasses.
    case named(String, superclassNames: [String])
}

/// Foundation's value classes; mutable kin read as the same.
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

    /// The class called `name`, if it is one of Foundation's value classes.
    init?(name: String) {
        switch name {
        case "NSNull": self = .null
        case "NSString", "NSMutableString": self = .string
        case "NSAttributedString", "NSMutableAttributedString": self = .attributedString
        case "NSNumber": self = .number
        case "NSData", "NSMutableData": self = .data
        case "NSDate": self = .date
        case "NSUUID": self = .uuid
        case "NSURL": self = .url
        case "NSArray", "NSMutableArray": self = .array
        case "NSSet", "NSMutableSet": self = .set
        case "NSDictionary", "NSMutableDictionary": self = .dictionary
        default: return nil
        }
    }

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
