public import Foundation

/// Creates a certificate from its DER bytes; nil if they do not have the shape of one, or if anything follows it.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    SecCertificate(bytes: [UInt8](data as Data), attributes: nil)
}

/// Returns the DER bytes that `certificate` was created from.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    Data(certificate.bytes) as NSData
}

/// Not supported by this version of Coffer: the summary of the subject is always nil.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? { nil }

/// Not supported by this version of Coffer: returns `errSecUnimplemented` and writes nothing.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate,
    _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    errSecUnimplemented
}

/// Not supported by this version of Coffer: the public key is always nil.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }

/// Not supported by this version of Coffer: the serial number is nil, and the error is `errSecUnimplemented`.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.report(over: .unimplemented("Reading the serial number of a certificate"))
    return nil
}
