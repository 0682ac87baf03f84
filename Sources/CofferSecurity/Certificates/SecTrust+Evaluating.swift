public import Dispatch
public import Foundation

// Other ways to evaluate, which packages use where they find a module Security: all of them fail closed.

/// What is called when an evaluation has ended: with whether the certificates can be trusted, and why not.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

/// Says on `queue` that the certificates cannot be trusted, as this version of Coffer can't evaluate them.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust,
    _ queue: DispatchQueue,
    _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    // It is called once, where the caller wants it.
    nonisolated(unsafe) let result = result
    queue.async {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        result(trust, isTrusted, error)
    }
    return errSecSuccess
}

/// Would evaluate the certificates: `errSecUnimplemented`, and the result is that nothing was evaluated.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    result.pointee = .invalid
    return errSecUnimplemented
}

/// Tells what the last evaluation has found: that nothing was evaluated.
@discardableResult
public func SecTrustGetTrustResult(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    result.pointee = .invalid
    return errSecSuccess
}

/// Would give the certificates from the first to the one that is trusted: nil in this version of Coffer.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }

/// Says whether only the certificates that were set as anchors count: no evaluation asks for that.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    errSecSuccess
}
