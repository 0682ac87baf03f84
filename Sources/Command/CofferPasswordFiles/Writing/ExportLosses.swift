internal import CofferBasics

/// What a password file lacks of its records, or what the program that reads it will not take as it is.
struct ExportLosses {
    enum Kind: CaseIterable {
        case titles, sites, paths, realms, notes, oneTimePasswords, furtherOneTimePasswords, parameters,
            untypedOneTimePasswords
        case fields, hiddenFields, folders, tags, separators, favorites, archived, trashed
        case formerSecrets, attachments, passkeys, keys, dates, attributes, kinds, bytes, carriageReturns
        case emptyPassword, noSite, otherSite, tooLong, repeated, fileByteCount, fileRowCount
    }

    private var counts: [Kind: Int] = [:]

    mutating func add(_ kind: Kind, _ count: Int = 1) {
        if count > 0 { counts[kind, default: 0] += count }
    }

    /// Counts what `form` does not have of a record.
    mutating func add(partsOf record: PasswordRecord, missingIn form: ExportForm) {
        let parts = form.parts
        for (kind, count) in record.exportedParts where count > 0 && !parts.contains(kind) { add(kind, count) }
        if !form.kinds.contains(record.kind) { add(.kinds) }
    }

    /// The value if it is text; counts it if it is not.
    mutating func text(_ value: HeldSecret?) -> HeldSecret? {
        guard let value else { return nil }
        guard value.withSpan({ $0.isText }) else {
            add(.bytes)
            return nil
        }
        return value
    }

    /// The losses in words, to be printed as `what: count`; secrets are not in them.
    func list(for form: ExportForm) -> [(what: String, count: Int)] {
        Kind.allCases.compactMap { kind in counts[kind].map { (kind.text(for: form.program), $0) } }
    }
}

extension PasswordRecord {
    /// How often the record has what some form lacks.
    fileprivate var exportedParts: [(ExportLosses.Kind, Int)] {
        [
            (.titles, title.isEmpty ? 0 : 1), (.sites, sites.count - 1), (.realms, realm.isEmpty ? 0 : 1),
            (.notes, notes?.isEmpty ?? true ? 0 : 1), (.oneTimePasswords, min(1, oneTimePasswords.count)),
            (.furtherOneTimePasswords, oneTimePasswords.count - 1), (.fields, fields.count),
            (.folders, folders.isEmpty ? 0 : 1), (.tags, tags.count), (.favorites, isFavorite ? 1 : 0),
            (.archived, isArchived ? 1 : 0), (.trashed, isTrashed ? 1 : 0), (.formerSecrets, formerSecrets.count),
            (.attachments, attachments.count), (.passkeys, passkeys.count),
            (.dates, created == nil && changed == nil ? 0 : 1), (.attributes, appleItem?.attributes.count ?? 0),
        ]
    }
}

extension ExportLosses.Kind {
    fileprivate func text(for program: String) -> String {
        switch self {
        case .titles: "titles"
        case .sites: "further addresses"
        case .paths: "addresses that are written without their path"
        case .realms: "realms of HTTP authentication"
        case .notes: "notes"
        case .oneTimePasswords: "one-time passwords"
        case .furtherOneTimePasswords: "further one-time passwords"
        case .parameters: "unknown parameters of one-time passwords"
        case .untypedOneTimePasswords: "one-time passwords that are written as hidden fields"
        case .fields: "fields"
        case .hiddenFields: "hidden fields that \(program) will show"
        case .folders: "folders"
        case .tags: "tags"
        case .separators: "names that \(program) will split at a separator"
        case .favorites: "favorites that become ordinary records"
        case .archived: "archived records that become ordinary records"
        case .trashed: "deleted records that become ordinary records"
        case .formerSecrets: "former passwords"
        case .attachments: "attachments"
        case .passkeys: "passkeys"
        case .keys: "keys that are not in PKCS #8 and are written as hidden fields"
        case .dates: "records without their dates"
        case .attributes: "attributes of keychain items"
        case .kinds: "notes, cards, keys and others that become logins"
        case .bytes: "values that are not text"
        case .carriageReturns: "values with carriage returns, which \(program) replaces"
        case .emptyPassword: "rows without a password, which \(program) refuses"
        case .noSite: "rows without an address, which \(program) may refuse"
        case .otherSite: "rows whose address is not a web address, which \(program) refuses"
        case .tooLong: "rows with values that are too long for \(program)"
        case .repeated: "rows with the same site and account as another one, of which \(program) takes one"
        case .fileByteCount: "bytes in the file, which is too large for \(program); export it in parts"
        case .fileRowCount: "rows in the file, which are too many for \(program); export it in parts"
        }
    }
}
