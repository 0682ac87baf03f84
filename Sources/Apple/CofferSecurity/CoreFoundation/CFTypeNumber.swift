internal import Foundation

/// The type identifiers.
enum CFTypeNumber: CFTypeID, CaseIterable {
    /// No object.
    case none
    /// An object of any other type.
    case other
    case string, data, dictionary, array, number, boolean, date, url, error, set, null, uuid
    case secKey, secCertificate, secIdentity, secAccessControl, secTrust, secPolicy, secTask

    /// The type of a Foundation object.
    init(foundation object: AnyObject) {
        self =
            switch object {
            case is NSString: .string
            case is NSData: .data
            case is NSDictionary: .dictionary
            case is NSArray: .array
            case let number as NSNumber where number.isBoolean: .boolean
            case is NSNumber: .number
            case is NSDate: .date
            case is NSURL: .url
            case is NSError: .error
            case is NSSet: .set
            case is NSNull: .null
            case is NSUUID: .uuid
            default: .other
            }
    }
}

extension NSNumber {
    /// Whether this is one of the two boolean objects, rather than a number with the same value.
    var isBoolean: Bool { self === kCFBooleanTrue || self === kCFBooleanFalse }
}

/// An object whose type has its own type identifier.
protocol HasCFTypeID: AnyObject {
    var cfTypeID: CFTypeID { get }
}
