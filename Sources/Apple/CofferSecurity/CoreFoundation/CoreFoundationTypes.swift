@_exported public import Foundation

// Core Foundation's names are classes of Foundation here, so `as` bridges as it does on Apple systems.

/// Any object.
public typealias CFTypeRef = AnyObject
/// A string.
public typealias CFString = NSString
/// A mutable string.
public typealias CFMutableString = NSMutableString
/// A dictionary.
public typealias CFDictionary = NSDictionary
/// A mutable dictionary.
public typealias CFMutableDictionary = NSMutableDictionary
/// An array.
public typealias CFArray = NSArray
/// A mutable array.
public typealias CFMutableArray = NSMutableArray
/// A set.
public typealias CFSet = NSSet
/// A mutable set.
public typealias CFMutableSet = NSMutableSet
/// A sequence of bytes.
public typealias CFData = NSData
/// A mutable sequence of bytes.
public typealias CFMutableData = NSMutableData
/// A date.
public typealias CFDate = NSDate
/// A URL.
public typealias CFURL = NSURL
/// A number.
public typealias CFNumber = NSNumber
/// A boolean.
public typealias CFBoolean = NSNumber
/// The object that stands for no value.
public typealias CFNull = NSNull
/// A UUID.
public typealias CFUUID = NSUUID
/// A value of a property list.
public typealias CFPropertyList = AnyObject
/// An error.
public typealias CFError = NSError
/// The domain of an error, which defines the meaning of its code.
public typealias CFErrorDomain = NSString
/// A count or a position.
public typealias CFIndex = Int
/// A type identifier.
public typealias CFTypeID = UInt
/// A hash, which is the same for equal objects.
public typealias CFHashCode = UInt
/// A set of flags, one per bit.
public typealias CFOptionFlags = UInt
/// An encoding of text.
public typealias CFStringEncoding = UInt32
/// A duration in seconds.
public typealias CFTimeInterval = Double
/// A date in seconds since the start of 2001, UTC.
public typealias CFAbsoluteTime = Double
/// The result of a call: 0, or the reason why it failed.
public typealias OSStatus = Int32
/// Four characters as one number.
public typealias OSType = UInt32
/// Four characters as one number.
public typealias FourCharCode = UInt32
/// An integer.
public typealias NSInteger = Int
/// A nonnegative integer.
public typealias NSUInteger = UInt
