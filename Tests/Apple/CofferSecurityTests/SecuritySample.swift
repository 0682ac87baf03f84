import Coffer
import Foundation
import Security

/// A self-signed certificate with a P-256 key, for `example.test`.
let sampleCertificate = bytes(
    """
    MIIBhTCCASugAwIBAgIUKKxwCjak0RmfB4TpjFCmA91oeJ8wCgYIKoZIzj0EAwIwFzEVMBMGA1UEAwwMZXhhbXBsZS50ZXN0MCAXDTI2
    MTEyMTIzNTI1M1oYDzIxMjYxMDI4MjM1MjUzWjAXMRUwEwYDVQQDDAxleGFtcGxlLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
    AATN6rHmNPLuur+8G0qza/fGq+80woAjHc5mFwD2CMjoUWkgr9gdPDkojI9j7WB8uTy4enbeBZilgyBGovyYBvAxo1MwUTAdBgNVHQ4E
    FgQUFrzboZTlAwAke+GfBxRouuTEGxwwHwYDVR0jBBgwFoAUFrzboZTlAwAke+GfBxRouuTEGxwwDwYDVR0TAQH/BAUwAwEB/zAKBggq
    hkjOPQQDAgNIADBFAiAv/R1OWomXxpisOR4qXuX7pz+7KUH8On4kuBT2CBklsgIhAIn5/lewthSkl0XqviqEiWTPymqsve55UVHx+kmI
    Y9XW
    """
)

/// Another self-signed certificate, for `other.test`.
let otherCertificate = bytes(
    """
    MIIBgTCCASegAwIBAgIUDXon8xxwqmUVzyksWagP+cRijpcwCgYIKoZIzj0EAwIwFTETMBEGA1UEAwwKb3RoZXIudGVzdDAgFw0yNjEx
    MjEyMzUyNTNaGA8yMTI2MTAyODIzNTI1M1owFTETMBEGA1UEAwwKb3RoZXIudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMOK
    Q4SE2fNStIDV7MAaTPVma+7mNwAv5YBq7UN7rlSXO0ugiryp8Mo/inRxCfKoQ6Lu8gZGYMOv8IZ6Qg2OBR2jUzBRMB0GA1UdDgQWBBRA
    bHRS2wsF6/OghzyqG09gdyt8PTAfBgNVHSMEGDAWgBRAbHRS2wsF6/OghzyqG09gdyt8PTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49
    BAMCA0gAMEUCIQCkyQsm8Pd+2cX9RGEXiORzSI71xwPUQTHFa8sS25dL9AIgF/9OibxMyTsrvz8j+kA4DIFU6kxUqROGSoSoPv+Jw3g=
    """
)

private func bytes(_ base64: String) -> [UInt8] {
    [UInt8](Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
}

/// The private key on P-256 of `Fixtures/keys`.
let samplePrivateKey = bytes(
    """
    BIRO9FZ6yd2eX0RDYzqNpkeZx4Z7LyH/jiyMj3Ls1AkMWxAHvd9kOmJ4DvMnUH3UzTL269dbHXY0SOzyxRuJLddrpj2yl+je+l0DS/x+a/
    qX6r6Gp9oApR6+iFZpVfnzyQ==
    """
)

/// Its public half.
let samplePublicKey = Array(samplePrivateKey.prefix(65))

/// The attributes of a private key in a keychain item.
let privateKeyAttributes: [String: ItemValue] = [
    "kcls": 1, "type": 73, "bsiz": 256, "esiz": 256, "klbl": .data([1, 2, 3]), "labl": "signing", "sign": 1, "perm": 1,
    "cdat": .date(secondsSinceReferenceDate: 10), "accc": .null,
]

/// A key from the keychain: a private ECDSA key, unless `changes` says otherwise.
func sampleKey(_ changes: [String: ItemValue] = [:], data: [UInt8]? = samplePrivateKey) -> SecKey? {
    SecKey(
        ItemReference(
            itemClass: .key,
            attributes: privateKeyAttributes.merging(changes) { $1 },
            data: data
        )
    )
}

/// A certificate created from its bytes.
func sampleSecCertificate(_ bytes: [UInt8] = sampleCertificate) -> SecCertificate? {
    SecCertificateCreateWithData(nil, Data(bytes) as CFData)
}

/// The status of the error that a call writes; nil if it writes none, or one that callers of Apple's functions do not
/// expect.
///
/// The call must also accept nil instead of an error pointer.
func failure<Answer>(of call: (UnsafeMutablePointer<Unmanaged<CFError>?>?) -> Answer?) -> OSStatus? {
    guard call(nil) == nil else { return nil }
    var error: Unmanaged<CFError>?
    guard call(&error) == nil, let error = error?.takeRetainedValue(), error.domain == NSOSStatusErrorDomain,
        !error.localizedDescription.isEmpty
    else { return nil }
    return OSStatus(error.code)
}
