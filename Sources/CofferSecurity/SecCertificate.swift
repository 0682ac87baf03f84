internal import Coffer
public import Foundation

/// A certificate.
public final class SecCertificate: NSObject, @unchecked Sendable {
    private let reference: ItemReference

    /// The certificate that an item of the keychain is; nil if the item has no data to make it of.
    init?(_ reference: ItemReference) {
        guard reference.data != nil else { return nil }
        self.reference = reference
    }

    /// What a request that is given this certificate as `kSecValueRef` asks for, or stores; nil if that is not known, because the
    /// certificate does not come from the keychain.
    var requestValues: [String: ItemValue]? { reference.attributes }
}
