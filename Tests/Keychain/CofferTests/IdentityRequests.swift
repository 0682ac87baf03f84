import Coffer
import CofferSecurity

/// A certificate with a public key hash, named after the hash by default.
func certificate(_ hash: String, named name: String? = nil) -> ItemRequest {
    let name = name ?? hash
    return [
        "class": "cert", "labl": .string(name), "issr": data("issuer of \(name)"), "slnr": data("1"),
        "pkhh": data(hash), "v_Data": data("certificate \(name)"),
    ]
}

/// A private key with a public key hash.
func privateKey(_ hash: String) -> ItemRequest {
    [
        "class": "keys", "labl": .string("key of \(hash)"), "kcls": "1", "priv": true, "klbl": data(hash),
        "v_Data": data("key \(hash)"),
    ]
}

/// The base of a request for identities.
let identity: ItemRequest = ["class": "idnt"]

extension Keychain {
    /// Adds a certificate and its key.
    func addPair(_ hash: String, with other: ItemRequest = [:]) throws {
        try add(certificate(hash).with(other))
        try add(privateKey(hash).with(other))
    }
}

extension ItemAnswer {
    /// The values of a dictionary; empty for any other answer.
    var values: [String: ItemValue] { if case .dictionary(let found) = self { found.values } else { [:] } }
}
