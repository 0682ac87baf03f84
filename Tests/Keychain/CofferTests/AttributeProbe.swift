import Coffer
import CofferBasics
import Testing

/// One attribute of typed items: its two names, and a value in its two forms.
struct AttributeProbe<Item: KeychainItem>: Sendable, CustomTestStringConvertible {
    let name: String
    let raw: ItemValue
    let write: @Sendable (inout Item) -> Void
    let isWritten: @Sendable (Item) -> Bool

    init<Value: Equatable & Sendable>(
        _ name: String,
        _ path: any WritableKeyPath<Item, Value> & Sendable,
        _ value: Value,
        _ raw: ItemValue
    ) {
        self.name = name
        self.raw = raw
        write = { $0[keyPath: path] = value }
        isWritten = { $0[keyPath: path] == value }
    }

    var testDescription: String { name }

    /// The attributes that all classes have.
    static var common: [AttributeProbe] {
        [
            AttributeProbe("labl", \.label, "L", "L"), AttributeProbe("alis", \.alias, "A", "A"),
            AttributeProbe("sync", \.isSynchronizable, true, 1), AttributeProbe("vwht", \.syncViewHint, "V", "V"),
            AttributeProbe("tkid", \.tokenID, "T", "T"), AttributeProbe("agrp", \.accessGroup, "G", "G"),
            AttributeProbe("pdmn", \.accessibility, .afterFirstUnlock, "ck"),
            AttributeProbe(
                "accc",
                \.accessControl,
                AccessControl(.whenUnlocked, .userPresence),
                AccessControl(.whenUnlocked, .userPresence).map { .accessControl($0) } ?? .null
            ),
        ]
    }
}

extension AttributeProbe where Item: KeychainPassword {
    static var ofPasswords: [AttributeProbe] {
        common + [
            AttributeProbe("acct", \.account, "kim", "kim"), AttributeProbe("desc", \.itemDescription, "D", "D"),
            AttributeProbe("icmt", \.comment, "C", "C"), AttributeProbe("crtr", \.creator, 5, 5),
            AttributeProbe("type", \.type, 6, 6), AttributeProbe("scrp", \.scriptCode, 7, 7),
            AttributeProbe("invi", \.isInvisible, true, 1), AttributeProbe("nega", \.isNegative, false, 0),
            AttributeProbe("cusi", \.hasCustomIcon, true, 1),
            AttributeProbe("prot", \.protectedData, [0x50], .data([0x50])),
        ]
    }
}

extension AttributeProbe<GenericPassword> {
    static let all =
        ofPasswords + [
            AttributeProbe("svce", \.service, "mail", "mail"),
            AttributeProbe("gena", \.genericBytes, [0xFF], .data([0xFF])),
        ]
}

extension AttributeProbe<InternetPassword> {
    static let all =
        ofPasswords + [
            AttributeProbe("srvr", \.server, "example.com", "example.com"),
            AttributeProbe("sdmn", \.securityDomain, "home", "home"),
            AttributeProbe("ptcl", \.protocol, .https, "htps"),
            AttributeProbe("atyp", \.authenticationType, .httpDigest, "httd"),
            AttributeProbe("port", \.port, 443, 443), AttributeProbe("path", \.path, "/login", "/login"),
        ]
}

extension AttributeProbe<Certificate> {
    static let all =
        common + [
            AttributeProbe("ctyp", \.certificateType, 1, 1), AttributeProbe("cenc", \.certificateEncoding, 3, 3),
            AttributeProbe("subj", \.subject, [1], .data([1])), AttributeProbe("issr", \.issuer, [2], .data([2])),
            AttributeProbe("slnr", \.serialNumber, [3], .data([3])),
            AttributeProbe("skid", \.subjectKeyID, [4], .data([4])),
            AttributeProbe("pkhh", \.publicKeyHash, [5], .data([5])),
        ]
}

extension AttributeProbe<CryptographicKey> {
    private static let date = KeychainDate(secondsSinceReferenceDate: 7.5)
    private static let rawDate = ItemValue.date(secondsSinceReferenceDate: 7.5)

    static let all =
        common + [
            AttributeProbe("kcls", \.keyClass, .symmetric, 2), AttributeProbe("type", \.keyType, .ed25519, 105),
            AttributeProbe("klbl", \.applicationLabel, [9], .data([9])),
            AttributeProbe("atag", \.applicationTag, "tag", "tag"), AttributeProbe("crtr", \.creator, 8, 8),
            AttributeProbe("bsiz", \.keySizeInBits, 256, 256), AttributeProbe("esiz", \.effectiveKeySize, 128, 128),
            AttributeProbe("sdat", \.startDate, date, rawDate), AttributeProbe("edat", \.endDate, date, rawDate),
            AttributeProbe("perm", \.isPermanent, true, 1), AttributeProbe("priv", \.isPrivate, false, 0),
            AttributeProbe("modi", \.isModifiable, true, 1), AttributeProbe("sens", \.isSensitive, false, 0),
            AttributeProbe("asen", \.wasAlwaysSensitive, true, 1), AttributeProbe("extr", \.isExtractable, false, 0),
            AttributeProbe("next", \.wasNeverExtractable, true, 1), AttributeProbe("encr", \.canEncrypt, false, 0),
            AttributeProbe("decr", \.canDecrypt, true, 1), AttributeProbe("drve", \.canDerive, false, 0),
            AttributeProbe("sign", \.canSign, true, 1), AttributeProbe("vrfy", \.canVerify, false, 0),
            AttributeProbe("snrc", \.canSignRecover, true, 1), AttributeProbe("vyrc", \.canVerifyRecover, false, 0),
            AttributeProbe("wrap", \.canWrap, true, 1), AttributeProbe("unwp", \.canUnwrap, false, 0),
        ]
}
