internal import CofferCertificates
internal import Foundation

extension OSStatus {
    /// The status code that Apple's systems use for an error with a key.
    init(_ error: KeyError) {
        self =
            switch error {
            case .invalidKey, .invalidSize, .unsupportedAlgorithm, .invalidInput: errSecParam
            case .noAgreement: errSecDecode
            case .library: errSecUnimplemented
            case .memory: errSecAllocate
            }
    }
}

extension UnsafeMutablePointer<Unmanaged<CFError>?>? {
    /// Returns the result of `body`; nil, with an error that names the operation, if it throws, or if the private key
    /// that it uses may not be used.
    func reporting<Result>(
        _ operation: String,
        using privateKey: SecKey? = nil,
        _ body: () throws(KeyError) -> Result
    ) -> Result? {
        if let refusal = privateKey?.refusal() {
            report(over: .status(OSStatus(refusal), "\(operation) failed: \(refusal)"))
            return nil
        }
        do throws(KeyError) {
            return try body()
        } catch {
            report(over: .status(OSStatus(error), "\(operation) failed: \(error)"))
            return nil
        }
    }
}
