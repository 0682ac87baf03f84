import CoreFoundation

/// The name of the mode in which the run loop of this thread runs; nil if it does not run.
public var runLoopMode: String? {
    guard let mode = CFRunLoopCopyCurrentMode(CFRunLoopGetCurrent()) else { return nil }
    return "\(mode)"
}
