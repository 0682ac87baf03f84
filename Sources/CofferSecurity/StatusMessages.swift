public import Foundation

/// No error, as code calls it that is older than `errSecSuccess`.
public let noErr: OSStatus = 0

/// Says in a sentence what a status code means.
///
/// - Parameters:
///   - status: What a call answered.
///   - reserved: Nothing: pass nil.
/// - Returns: The sentence, in English; for a code that is not known, the code itself as text. Never nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    (StatusMessages.message(for: status) ?? "OSStatus \(status)") as CFString
}

/// What the status codes say.
///
/// Each code stands in one of the files `StatusCodes+….swift`, with its number, its comment, and the same sentence as message.
enum StatusMessages {
    private static let tables = [keychain, certificate, module, parameter, authority]

    /// The sentence for `status`; nil if there is no such code.
    static func message(for status: OSStatus) -> String? {
        tables.lazy.compactMap { $0[status] }.first
    }
}
