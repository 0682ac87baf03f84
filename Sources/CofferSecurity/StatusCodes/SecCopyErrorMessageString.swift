public import Foundation
internal import StatusMessages

/// No error, as code calls it that is older than `errSecSuccess`.
public let noErr: OSStatus = 0

/// Says in a sentence what a status code means.
///
/// - Parameters:
///   - status: What a call answered.
///   - reserved: Nothing: pass nil.
/// - Returns: The sentence, in English; for a code that is not known, the code itself as text. Never nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    (StatusMessage.text(for: status) ?? "OSStatus \(status)") as CFString
}
