public import Foundation

/// Where a function writes why it failed; nil if nobody wants to know.
///
/// Foundation has this name on Apple's systems.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
