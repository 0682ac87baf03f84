internal import Coffer
internal import CofferBasics

extension AttributeName {
    private static let titles: [AttributeName: String] = [
        .service: "service", .server: "server", .account: "account", .label: "label", .itemDescription: "description",
        .comment: "comment", .alias: "alias", .generic: "generic", .creator: "creator", .type: "type",
        .scriptCode: "script code", .isInvisible: "invisible", .isNegative: "negative",
        .protectedData: "protected data", .hasCustomIcon: "custom icon", .securityDomain: "security domain",
        .`protocol`: "protocol", .authenticationType: "authentication", .port: "port", .path: "path",
        .certificateType: "certificate type", .certificateEncoding: "encoding", .subject: "subject", .issuer: "issuer",
        .serialNumber: "serial number", .subjectKeyID: "subject key id", .publicKeyHash: "public key hash",
        .keyClass: "key class", .applicationLabel: "application label", .applicationTag: "application tag",
        .keySizeInBits: "bits", .effectiveKeySize: "effective bits", .startDate: "start date", .endDate: "end date",
        .accessGroup: "group", .accessibility: "protection", .accessControl: "protection",
        .synchronizable: "synchronizable", .syncViewHint: "sync view", .tokenID: "token", .isPermanent: "permanent",
        .isPrivate: "private", .isModifiable: "modifiable", .isSensitive: "sensitive",
        .wasAlwaysSensitive: "always sensitive", .isExtractable: "extractable",
        .wasNeverExtractable: "never extractable", .canEncrypt: "can encrypt", .canDecrypt: "can decrypt",
        .canDerive: "can derive", .canSign: "can sign", .canVerify: "can verify",
        .canSignRecover: "can sign recovering", .canVerifyRecover: "can verify recovering", .canWrap: "can wrap",
        .canUnwrap: "can unwrap",
    ]

    /// The attributes shown first, in this order; the others follow by name.
    private static let first: [AttributeName] = [.service, .server, .account, .label, .itemDescription, .comment]

    /// The titles that people see, where those for programs are Apple's words.
    private static let titlesForPeople: [AttributeName: String] = [
        .service: "name", .account: "user", .comment: "notes",
    ]

    /// The title of the attribute with Apple's name `name`.
    static func shown(_ name: String, toPeople isForPeople: Bool = false) -> String {
        let attribute = AttributeName(name)
        let other = isForPeople ? attribute.flatMap { titlesForPeople[$0] } : nil
        return other ?? attribute.flatMap { titles[$0] } ?? name.printable
    }

    /// Whether one attribute is shown before another; both are given by Apple's names.
    static func isBefore(_ one: String, _ other: String) -> Bool {
        let places = (place(of: one), place(of: other))
        return places.0 == places.1 ? shown(one) < shown(other) : places.0 < places.1
    }

    private static func place(of name: String) -> Int { first.firstIndex { $0.rawValue == name } ?? first.count }
}

extension ItemValue {
    /// The value as text, which may have several lines; nil if there is nothing to show.
    func shown(_ date: (KeychainDate) -> String) -> String? {
        switch self {
        case .string(let text):
            text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
                .map { String(Substring($0)).escapingInvisible }.joined(separator: "\n")
        // Serial numbers and digests can look like text with control characters.
        case .data(let bytes): AttributeText(bytes: bytes).plainText ?? "0x\(bytes.hexDigits)"
        case .integer(let number): String(number)
        case .real(let number): Decimal.text(number)
        case .bool(let flag): flag ? "yes" : "no"
        case .date(let seconds): date(KeychainDate(secondsSinceReferenceDate: seconds))
        case .accessControl, .array, .null, .other: nil
        }
    }

    /// The value as JSON.
    var json: JSON {
        switch self {
        case .string(let text): .string(text)
        case .data(let bytes): ["hexadecimal": .string(bytes.hexDigits)]
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
    /// The text, if it is not empty and is shown without escapes.
    fileprivate var plainText: String? {
        guard let string, !string.isEmpty, string.printable.utf8.elementsEqual(string.utf8) else { return nil }
        return string
    }
}
