public import Foundation

// The attributes of cryptographic keys, and their values.

/// Whether a key is public, private or symmetric.
@safe public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// A public key.
@safe public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
/// A private key.
@safe public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"
/// A symmetric key.
@safe public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"
/// The algorithm of a key.
@safe public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// An RSA key.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
/// An elliptic-curve key: the older name of `kSecAttrKeyTypeECSECPrimeRandom`.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"
/// A key on one of the NIST curves P-256, P-384 and P-521.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// An ECDSA key; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeECDSA: CFString = "73"
/// A DSA key; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeDSA: CFString = "43"
/// An AES key; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeAES: CFString = "2147483649"
/// A DES key; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeDES: CFString = "14"
/// A triple DES key; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrKeyType3DES: CFString = "17"
/// An RC2 key; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeRC2: CFString = "23"
/// An RC4 key; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeRC4: CFString = "25"
/// A CAST key; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeCAST: CFString = "56"
/// The size of a key in bits.
@safe public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The effective size of a key in bits.
@safe public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// The label by which programs look up a key: for a key pair, the digest of the public key.
@safe public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// A tag that a program gives to a key.
@safe public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// Whether a new key is stored in the keychain.
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
/// The attributes of the private key of a new key pair.
@safe public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// The attributes of the public key of a new key pair.
@safe public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
/// The pseudorandom function for deriving a key; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"
/// Key derivation with HMAC-SHA-1; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// Key derivation with HMAC-SHA-224; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// Key derivation with HMAC-SHA-256; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// Key derivation with HMAC-SHA-384; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// Key derivation with HMAC-SHA-512; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
/// The salt for deriving a key; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"
/// The number of rounds for deriving a key; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrRounds: CFString = "rounds"
