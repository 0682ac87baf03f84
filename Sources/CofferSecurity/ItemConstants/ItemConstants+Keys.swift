public import Foundation

// The attributes of cryptographic keys, and the values that these can have.

/// Whether a key is public, private or symmetric.
@safe public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// A public key.
@safe public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
/// A private key.
@safe public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"
/// A key that is the same for both sides.
@safe public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"
/// The algorithm that a key is for.
@safe public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// A key for RSA.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
/// A key on an elliptic curve: the older name of `kSecAttrKeyTypeECSECPrimeRandom`.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"
/// A key on one of the curves that NIST chose: P-256, P-384 or P-521.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// A key for ECDSA: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeECDSA: CFString = "73"
/// A key for DSA: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeDSA: CFString = "43"
/// A key for AES: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeAES: CFString = "2147483649"
/// A key for DES: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeDES: CFString = "14"
/// A key for DES, applied three times: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrKeyType3DES: CFString = "17"
/// A key for RC2: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeRC2: CFString = "23"
/// A key for RC4: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeRC4: CFString = "25"
/// A key for CAST: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeCAST: CFString = "56"
/// How many bits a key has.
@safe public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// How many bits of a key count.
@safe public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// What a program finds a key by: for a pair of keys, the digest of the public one.
@safe public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// What a program calls a key.
@safe public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// Whether a key is stored in the keychain as soon as it is made.
@safe public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// Whether a key may leave the keychain only encrypted.
@safe public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"
/// Whether a key may leave the keychain at all.
@safe public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"
/// Whether a key may encrypt.
@safe public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
/// Whether a key may decrypt.
@safe public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
/// Whether other keys may be derived from a key.
@safe public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
/// Whether a key may sign.
@safe public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
/// Whether a key may verify signatures.
@safe public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
/// Whether a key may encrypt other keys.
@safe public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"
/// Whether a key may decrypt other keys.
@safe public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = "unwp"
/// The attributes for the private one of a pair of keys that is made.
@safe public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// The attributes for the public one of a pair of keys that is made.
@safe public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
/// How a key is derived from a password: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"
/// To derive with HMAC and SHA-1: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// To derive with HMAC and SHA-224: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// To derive with HMAC and SHA-256: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// To derive with HMAC and SHA-384: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// To derive with HMAC and SHA-512: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
/// The salt to derive a key with: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"
/// How often to go round when a key is derived: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrRounds: CFString = "rounds"
