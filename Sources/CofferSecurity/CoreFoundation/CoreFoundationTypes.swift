@_exported public import Foundation

// Names of Core Foundation are classes of Foundation here: so `as` bridges as it does on Apple systems.

/// Any object.
public typealias CFTypeRef = AnyObject
/// Text.
public typealias CFString = NSString
/// Text that can be changed.
public typealias CFMutableString = NSMutableString
/// Values by their keys.
public typealias CFDictionary = NSDictionary
/// Values by their keys, which can be changed.
public typealias CFMutableDictionary = NSMutableDictionary
/// Values in an order.
public typealias CFArray = NSArray
/// Values in an order, which can be changed.
public typealias CFMutableArray = NSMutableArray
/// Bytes.
public typealias CFData = NSData
/// Bytes that can be changed.
public typealias CFMutableData = NSMutableData
/// A moment.
public typealias CFDate = NSDate
/// A place.
public typealias CFURL = NSURL
/// A number.
public typealias CFNumber = NSNumber
/// Yes or no.
public typealias CFBoolean = NSNumber
/// Why something failed.
public typealias CFError = NSError
/// Who defines what the codes of an error mean.
public typealias CFErrorDomain = NSString
/// A count, or a position.
public typealias CFIndex = Int
/// The number of a type.
public typealias CFTypeID = UInt
/// A number that is the same for equal objects.
public typealias CFHashCode = UInt
/// Several bits.
public typealias CFOptionFlags = UInt
/// A duration in seconds.
public typealias CFTimeInterval = Double
/// A moment in seconds since 2001 began, UTC.
public typealias CFAbsoluteTime = Double
/// What a call answers: 0, or why it failed.
public typealias OSStatus = Int32
/// Four characters as one number.
public typealias OSType = UInt32
/// Four characters as one number.
public typealias FourCharCode = UInt32
/// A whole number.
public typealias NSInteger = Int
/// A whole number that is not negative.
public typealias NSUInteger = UInt
