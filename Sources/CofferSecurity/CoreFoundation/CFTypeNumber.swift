internal import Foundation

/// The numbers of the types.
enum CFTypeNumber: CFTypeID, CaseIterable {
    /// No object.
    case none
    /// An object of none of these types.
    case other
    case string, data, dictionary, array, number, boolean, date, url, error
    case secKey, secCertificate, secIdentity, secAccessControl, secTrust, secPolicy

    /// The type of an object of Foundation.
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
            default: .other
            }
    }
}

extension NSNumber {
    /// Whether this is yes or no, of which there are just two objects, and not a number that is like one of them.
    var isBoolean: Bool { self === kCFBooleanTrue || self === kCFBooleanFalse }
}

/// An object of a type that has a number of its own.
protocol HasCFTypeID: AnyObject {
    var cfTypeID: CFTypeID { get }
}
