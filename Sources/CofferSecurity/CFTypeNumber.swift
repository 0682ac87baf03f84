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
            // A boolean is a number too; there are just two of them.
            case let number as NSNumber where number === kCFBooleanTrue || number === kCFBooleanFalse: .boolean
            case is NSNumber: .number
            case is NSDate: .date
            case is NSURL: .url
            case is NSError: .error
            default: .other
            }
    }
}

/// An object of a type that has a number of its own.
protocol HasCFTypeID: AnyObject {
    var cfTypeID: CFTypeID { get }
}
