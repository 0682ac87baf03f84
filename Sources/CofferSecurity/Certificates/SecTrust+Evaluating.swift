public import Dispatch
public import Foundation

// Other ways to evaluate, which packages use if they find a module `Security`; all of them fail closed.

/// A callback for the end of an evaluation: whether the certificates are trusted, and the reason if they are not.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

/// Reports on `queue` that the certificates are not trusted, since this version of Coffer cannot evaluate them.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust,
    _ queue: DispatchQueue,
    _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    // It is called once, on the queue that the caller chose.
    nonisolated(unsafe) let result = result
    queue.async {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        result(trust, isTrusted, error)
    }
    return errSecSuccess
}

/// Not supported by this version of Coffer: returns `errSecUnimplemented`, with the result `.invalid`.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    result.pointee = .invalid
    return errSecUnimplemented
}

/// Writes the result of the last evaluation, which is always `.invalid`: nothing was evaluated.
@discardableResult
public func SecTrustGetTrustResult(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    result.pointee = .invalid
    return errSecSuccess
}

/// Not supported by this version of Coffer: the chain of certificates is always nil.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }

/// Accepts a restriction to the certificates set as anchors; no evaluation uses it.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    errSecSuccess
}
