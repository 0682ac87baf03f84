internal import Coffer
internal import CofferBasics

/// What people call the attributes of items.
enum AttributeName {
    private static let names: [String: String] = [
        "svce": "service", "srvr": "server", "acct": "account", "labl": "label", "desc": "description",
        "icmt": "comment", "alis": "alias", "gena": "generic", "crtr": "creator", "type": "type", "scrp": "script code",
        "invi": "invisible", "nega": "negative", "prot": "protected data", "cusi": "custom icon",
        "sdmn": "security domain", "ptcl": "protocol", "atyp": "authentication", "port": "port", "path": "path",
        "ctyp": "certificate type", "cenc": "encoding", "subj": "subject", "issr": "issuer", "slnr": "serial number",
        "skid": "subject key id", "pkhh": "public key hash", "kcls": "key class", "klbl": "application label",
        "atag": "application tag", "bsiz": "bits", "esiz": "effective bits", "sdat": "start date", "edat": "end date",
        "agrp": "group", "pdmn": "protection", "accc": "protection", "sync": "synchronizable", "vwht": "sync view",
        "tkid": "token", "perm": "permanent", "priv": "private", "modi": "modifiable", "sens": "sensitive",
        "asen": "always sensitive", "extr": "extractable", "next": "never extractable", "encr": "can encrypt",
        "decr": "can decrypt", "drve": "can derive", "sign": "can sign", "vrfy": "can verify",
        "snrc": "can sign recovering", "vyrc": "can verify recovering", "wrap": "can wrap", "unwp": "can unwrap",
    ]

    /// What comes first, in this order; the others follow by their names.
    private static let first = ["svce", "srvr", "acct", "labl", "desc", "icmt"]

    /// The name for people of an attribute by Apple's name.
    static func shown(_ name: String) -> String { names[name] ?? name.printable }

    /// Whether one attribute stands before another.
    static func isBefore(_ one: String, _ other: String) -> Bool {
        let places = (first.firstIndex(of: one) ?? first.count, first.firstIndex(of: other) ?? first.count)
        return places.0 == places.1 ? shown(one) < shown(other) : places.0 < places.1
    }
}

extension ItemValue {
    /// The value for people; nil if there is nothing to show.
    func shown(_ date: (KeychainDate) -> String) -> String? {
        switch self {
        case .string(let text): text.printable
        // Serial numbers and digests may pass for text, with control characters in it.
        case .data(let bytes): AttributeText(bytes: bytes).plainText ?? "0x\(bytes.hexadecimal)"
        case .integer(let number): String(number)
        case .real(let number): Decimal.text(number)
        case .bool(let flag): flag ? "yes" : "no"
        case .date(let seconds): date(KeychainDate(secondsSinceReferenceDate: seconds))
        case .accessControl, .array, .null, .other: nil
        }
    }

    /// The value for machines.
    var json: JSON {
        switch self {
        case .string(let text): .string(text)
        case .data(let bytes): ["hexadecimal": .string(bytes.hexadecimal)]
        case .integer(let number): .integer(number)
        case .real(let number): .decimal(number)
        case .bool(let flag): .bool(flag)
        case .date(let seconds): JSON(KeychainDate(secondsSinceReferenceDate: seconds))
        case .accessControl(let control): .string(control.accessibility.commandName)
        case .array(let values): .array(values.map(\.json))
        case .null, .other: .null
        }
    }
}

extension AttributeText {
    /// The text, if it is some and nothing in it is escaped when it is shown.
    fileprivate var plainText: String? {
        guard let string, !string.isEmpty, string.printable.utf8.elementsEqual(string.utf8) else { return nil }
        return string
    }
}
