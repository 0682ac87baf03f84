internal import Coffer
public import Foundation

/// Success: the older name of `errSecSuccess`.
public let noErr: OSStatus = 0

/// The user canceled: the older name of `errSecUserCanceled`.
public let userCanceledErr = -128

/// Returns the message for a status code.
///
/// - Parameters:
///   - status: The result of a call.
///   - reserved: Unused; pass nil.
/// - Returns: The message in English; for an unknown code, the code itself as text. Never nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    (StatusMessage.text(for: status) ?? "OSStatus \(status)") as CFString
}
