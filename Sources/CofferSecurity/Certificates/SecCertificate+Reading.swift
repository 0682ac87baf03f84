public import Foundation

/// The certificate of these bytes in DER; nil if they have not the shape of one, or if anything follows.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    SecCertificate(bytes: [UInt8](data as Data), attributes: nil)
}

/// The bytes that `certificate` was made of.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    Data(certificate.bytes) as NSData
}

/// Would tell in short whose `certificate` is: nil in this version of Coffer.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? { nil }

/// Would tell the common name: `errSecUnimplemented` in this version of Coffer, and nothing is written.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate,
    _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    errSecUnimplemented
}

/// Would give the public key: nil in this version of Coffer.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }

/// Would give the serial number: nil, and the error `errSecUnimplemented`, in this version of Coffer.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.hand(over: .unimplemented("Reading the serial number of a certificate"))
    return nil
}
