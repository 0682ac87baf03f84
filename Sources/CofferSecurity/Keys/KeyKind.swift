internal import Coffer

/// The half and the algorithm of a key, for those keys of which Apple's systems create references.
struct KeyKind {
    /// The half of a key pair: `kSecAttrKeyClass`.
    enum Half: Int64 {
        case publicKey = 0
        case privateKey = 1
    }

    /// The algorithm: `kSecAttrKeyType`.
    enum Algorithm: Int64 {
        case rsa = 42
        case ellipticCurve = 73
        case ed25519 = 105
        case x25519 = 106
        case ed448 = 107
        case x448 = 108
        case kyber = 109
        case mlKEM = 110
        case mlDSA = 111
    }

    let half: Half
    let algorithm: Algorithm

    /// Reads the kind from `attributes`; nil for symmetric keys, which have no references, and for unknown kinds.
    init?(_ attributes: [String: ItemValue]) {
        guard let half = attributes["kcls"]?.number.flatMap(Half.init),
            let algorithm = attributes["type"]?.number.flatMap(Algorithm.init)
        else { return nil }
        self.half = half
        self.algorithm = algorithm
    }
}
