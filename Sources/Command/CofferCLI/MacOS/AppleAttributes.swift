internal import Coffer

/// An attribute as macOS `security` prints it: `Spec/command.md`, section 11.
struct AppleAttribute: Sendable {
    /// The type that macOS prints.
    enum Kind: String, Sendable {
        case blob
        case number = "uint32"
        case signedNumber = "sint32"
        case date = "timedate"
        /// A number that is printed even if the item has none.
        case keyNumber
    }

    /// The attribute's name as printed.
    let title: String
    /// The attribute's name in the keychain.
    let name: AttributeName
    let kind: Kind

    /// The attribute `name`, printed under that name if no `title` is given.
    init(_ name: AttributeName, _ kind: Kind, _ title: String? = nil) {
        let title = title ?? name.rawValue
        self.title = title.hasPrefix("0x") ? "\(title) " : "\"\(title)\""
        self.name = name
        self.kind = kind
    }
}

extension AppleAttribute {
    /// The attributes of a class, in the order of macOS.
    ///
    /// The access group, which old keychains of macOS do not have, is in alphabetical order.
    static func all(of itemClass: KeychainClass) -> [AppleAttribute] {
        switch itemClass {
        case .genericPassword: genericPassword
        case .internetPassword: internetPassword
        case .certificate, .identity: certificate
        case .key: key
        }
    }

    private static let genericPassword = [
        AppleAttribute(.label, .blob, "0x00000007"), AppleAttribute(.alias, .blob, "0x00000008"),
        AppleAttribute(.account, .blob), AppleAttribute(.accessGroup, .blob), AppleAttribute(.creationDate, .date),
        AppleAttribute(.creator, .number), AppleAttribute(.hasCustomIcon, .signedNumber),
        AppleAttribute(.itemDescription, .blob),
        AppleAttribute(.generic, .blob), AppleAttribute(.comment, .blob), AppleAttribute(.isInvisible, .signedNumber),
        AppleAttribute(.modificationDate, .date), AppleAttribute(.isNegative, .signedNumber),
        AppleAttribute(.protectedData, .blob),
        AppleAttribute(.scriptCode, .signedNumber), AppleAttribute(.service, .blob), AppleAttribute(.type, .number),
    ]

    private static let internetPassword = [
        AppleAttribute(.label, .blob, "0x00000007"), AppleAttribute(.alias, .blob, "0x00000008"),
        AppleAttribute(.account, .blob), AppleAttribute(.accessGroup, .blob),
        AppleAttribute(.authenticationType, .blob),
        AppleAttribute(.creationDate, .date), AppleAttribute(.creator, .number),
        AppleAttribute(.hasCustomIcon, .signedNumber),
        AppleAttribute(.itemDescription, .blob), AppleAttribute(.comment, .blob),
        AppleAttribute(.isInvisible, .signedNumber),
        AppleAttribute(.modificationDate, .date), AppleAttribute(.isNegative, .signedNumber),
        AppleAttribute(.path, .blob),
        AppleAttribute(.port, .keyNumber), AppleAttribute(.protectedData, .blob), AppleAttribute(.protocol, .keyNumber),
        AppleAttribute(.scriptCode, .signedNumber), AppleAttribute(.securityDomain, .blob),
        AppleAttribute(.server, .blob),
        AppleAttribute(.type, .number),
    ]

    private static let certificate = [
        AppleAttribute(.accessGroup, .blob), AppleAttribute(.alias, .blob),
        AppleAttribute(.certificateEncoding, .number),
        AppleAttribute(.certificateType, .keyNumber), AppleAttribute(.publicKeyHash, .blob, "hpky"),
        AppleAttribute(.issuer, .blob, "issu"), AppleAttribute(.label, .blob), AppleAttribute(.subjectKeyID, .blob),
        AppleAttribute(.serialNumber, .blob, "snbr"), AppleAttribute(.subject, .blob),
    ]

    private static let key: [AppleAttribute] = {
        let names: [AttributeName] = [
            .keyClass, .label, .alias, .isPermanent, .isPrivate, .isModifiable, .applicationLabel, .applicationTag,
            .creator, .type, .keySizeInBits, .effectiveKeySize, .startDate, .endDate, .isSensitive,
            .wasAlwaysSensitive, .isExtractable, .wasNeverExtractable, .canEncrypt, .canDecrypt, .canDerive, .canSign,
            .canVerify, .canSignRecover, .canVerifyRecover, .canWrap, .canUnwrap,
        ]
        let numbered = names.enumerated().map { index, name in
            let kind: Kind =
                switch name {
                case .label, .alias, .applicationLabel, .applicationTag: .blob
                case .startDate, .endDate: .date
                default: .keyNumber
                }
            return AppleAttribute(
                name,
                kind,
                "0x000000" + (index < 16 ? "0" : "") + String(index, radix: 16).uppercased()
            )
        }
        return numbered + [AppleAttribute(.accessGroup, .blob)]
    }()
}

extension FoundItem {
    /// Writes the item as macOS does, with `path` as its keychain.
    func writeAsApple(in path: String, to output: Output) throws {
        try output.write("keychain: ")
        try AppleText.write(path, to: output)
        try output.write("\nversion: 512\nclass: ")
        switch itemClass {
        case .genericPassword, .internetPassword: try AppleText.write(itemClass.rawValue, to: output)
        case .certificate, .identity: try AppleText.write(0x8000_1000, to: output)
        case .key: try AppleText.write(keyClass, to: output)
        }
        try output.write("\nattributes:\n")
        for attribute in AppleAttribute.all(of: itemClass) { try write(attribute, to: output) }
    }

    /// The number of macOS for a public, private or symmetric key.
    private var keyClass: UInt32 {
        guard case .integer(let number)? = attributes[.keyClass], (0...2).contains(number) else { return 15 }
        return 15 + UInt32(number)
    }

    private func write(_ attribute: AppleAttribute, to output: Output) throws {
        let kind = attribute.kind == .keyNumber ? .number : attribute.kind
        try output.write("    \(attribute.title)<\(kind.rawValue)>=")
        if !(try writeValue(of: attribute, to: output)) { try output.write("<NULL>") }
        try output.write("\n")
    }

    /// Writes the value, if there is one.
    private func writeValue(of attribute: AppleAttribute, to output: Output) throws -> Bool {
        switch (attribute.kind, attributes[attribute.name]) {
        case (_, _) where attribute.name == .keyClass && itemClass == .key: try AppleText.write(keyClass, to: output)
        case (_, .integer(let number)?): try AppleText.write(UInt32(truncatingIfNeeded: number), to: output)
        case (.keyNumber, nil): try AppleText.write(0 as UInt32, to: output)
        case (.date, .date(let seconds)?):
            try write(KeychainDate(secondsSinceReferenceDate: seconds), to: output)
        case (.date, _):
            guard attribute.name == .creationDate || attribute.name == .modificationDate else { return false }
            try write(attribute.name == .creationDate ? created : modified, to: output)
        case (_, .bool(let flag)?): try AppleText.write(flag ? 1 : 0 as UInt32, to: output)
        case (_, _):
            guard let text = text(attribute.name), !text.isEmpty else { return false }
            try AppleText.write(text.bytes.span, to: output)
        }
        return true
    }

    private func write(_ date: KeychainDate, to output: Output) throws {
        try AppleText.write(Timestamp.compact(date) + "\0", to: output)
    }
}
