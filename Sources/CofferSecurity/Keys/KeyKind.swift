internal import Coffer

/// What a key is for, and in which arithmetic: as far as its attributes say what Apple's systems would make a key of.
struct KeyKind {
    /// The half of a pair: `kSecAttrKeyClass`.
    enum Half: Int64 {
        case publicKey = 0
        case privateKey = 1
    }

    /// The arithmetic: `kSecAttrKeyType`.
    enum Arithmetic: Int64 {
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
    let arithmetic: Arithmetic

    /// What `attributes` say; nil for symmetric keys, of which there are no references, and for what nobody knows.
    init?(_ attributes: [String: ItemValue]) {
        guard let half = attributes["kcls"]?.number.flatMap(Half.init),
            let arithmetic = attributes["type"]?.number.flatMap(Arithmetic.init)
        else { return nil }
        self.half = half
        self.arithmetic = arithmetic
    }
}
