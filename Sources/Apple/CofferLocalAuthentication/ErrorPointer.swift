public import Foundation

/// The destination for a function's error; nil if the caller does not need it.
///
/// On Apple's systems, Foundation defines this name.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
