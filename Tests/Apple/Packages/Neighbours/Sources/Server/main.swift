import Credentials
import Foundation
import JWTKit

// Prints the results of packages that do not know Coffer, which are the same for both variants of their code; and the
// variants, if asked.

guard !CommandLine.arguments.contains("variants") else {
    print("X509: \(certificateVariant), Crypto: \(RandomBytes.variant), Credentials: \(CredentialStore.variant)")
    exit(0)
}

let pem = """
    -----BEGIN CERTIFICATE-----
    MIIBjzCCATWgAwIBAgIUHsD4JAPpoWecyy8YFU5SGlVwAUswCgYIKoZIzj0EAwIwHDEaMBgGA1UEAwwRbmVpZ2hib3VyLmV4YW1w
    bGUwIBcNMjYxMTIyMDAwMDU0WhgPMjEyNjEwMjkwMDAwNTRaMBwxGjAYBgNVBAMMEW5laWdoYm91ci5leGFtcGxlMFkwEwYHKoZI
    zj0CAQYIKoZIzj0DAQcDQgAEHCRsWHmRsj4PYTJJ+LO1BSZ8u4GcHLQx9opgkeIiEWN9sm/jZ3GS5rNFWmDiagP+ukdkDyMlSYf7
    tT+hH1w5XqNTMFEwHQYDVR0OBBYEFKDl9gKE+6ZEwllq4P+G46c5ARgPMB8GA1UdIwQYMBaAFKDl9gKE+6ZEwllq4P+G46c5ARgP
    MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgBhHdXiMgLPP6dNf17KSq3V/Id+txMv9OMZznEGeJyhwCIQDePc+w
    ewIY0j2RK9dFUo2nWQ3/NY/6i/syaTXxd5KUqQ==
    -----END CERTIFICATE-----
    """
let chain = try Certificate.all(inPEM: pem)
print("certificate: \(chain[0].der.count) bytes")
print("no certificate: \((try? Certificate(der: Data([1, 2, 3]))) == nil ? "refused" : "accepted")")

let nonces = (try RandomBytes.array(count: 32), try RandomBytes.data(count: 32))
print("random: \(nonces.0.count) and \(nonces.1.count) bytes, \(Data(nonces.0) == nonces.1 ? "equal" : "different")")

// The host differs from the certificate's, so a correct evaluation must refuse it.
for (name, trust) in [("trust", ServerTrust()), ("trust with an anchor", ServerTrust(anchors: chain))] {
    do {
        try trust.evaluate(chain, host: "other.example")
        print("\(name): granted")
    } catch {
        print("\(name): refused")
    }
}

let message = Data("to be signed".utf8)
print("signature: \(SigningKey(bytes: Data(repeating: 1, count: 97)).signature(for: message).bytes.count > 8)")
do {
    _ = try SigningKey(bytes: Data([1, 2, 3])).checkedSignature(for: message)
    print("no key: accepted")
} catch {
    print("no key: refused")
}

let store = CredentialStore()
for address in ["https://api.example.com:8443/v1", "http://api.example.com"] {
    guard let server = URL(string: address) else { continue }
    try store.set(user: "kim", password: "first", for: server)
    try store.set(user: "kim", password: "hunter2", for: server)
    print("login: \(try store.login(for: server)?.password ?? "unknown")")
}
print("error: \(KeychainStatus.duplicateItem.localizedDescription.isEmpty ? "no message" : "a message")")
