import Coffer
import CofferSecurity

/// A certificate whose public key has a hash, named after the hash unless told otherwise.
func certificate(_ hash: String, named name: String? = nil) -> ItemRequest {
    let name = name ?? hash
    return [
        "class": "cert", "labl": .string(name), "issr": data("issuer of \(name)"), "slnr": data("1"),
        "pkhh": data(hash), "v_Data": data("certificate \(name)"),
    ]
}

/// A private key whose public key has a hash.
func privateKey(_ hash: String) -> ItemRequest {
    [
        "class": "keys", "labl": .string("key of \(hash)"), "kcls": "1", "priv": true, "klbl": data(hash),
        "v_Data": data("key \(hash)"),
    ]
}

/// What a request for identities begins with.
let identity: ItemRequest = ["class": "idnt"]

extension Keychain {
    /// Adds a certificate and the key that belongs to it.
    func addPair(_ hash: String, with other: ItemRequest = [:]) throws {
        try add(certificate(hash).with(other))
        try add(privateKey(hash).with(other))
    }
}

extension ItemAnswer {
    /// The values of a dictionary, or none.
    var values: [String: ItemValue] { if case .dictionary(let found) = self { found.values } else { [:] } }
}
