/// What the status codes of Apple's keychain say, in a sentence each.
///
/// The codes have their names in `CofferSecurity`, in the files `StatusCodes+….swift`, with the same sentence as comment.
package enum StatusMessage {
    private static let tables = [keychain, certificate, module, parameter, authority]

    /// The sentence for `status`; nil if there is no such code.
    package static func text(for status: Int32) -> String? {
        tables.lazy.compactMap { $0[status] }.first
    }
}
