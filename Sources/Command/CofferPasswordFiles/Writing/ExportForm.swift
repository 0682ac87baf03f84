/// A form of password files that other programs import.
package enum ExportForm: String, CaseIterable, Sendable {
    /// CSV of Apple Passwords.
    case apple
    /// CSV of Chrome, Edge, Brave and others of that family.
    case chrome
    /// CSV of Firefox.
    case firefox
    /// CSV of Bitwarden.
    case bitwarden
    /// CSV of KeePassXC.
    case keePassXC = "keepassxc"
    /// CSV of 1Password 8.
    case onePassword = "1password"
    /// JSON in the Credential Exchange Format 1.0 of the FIDO Alliance.
    case cxf

    /// The program that reads the form, for messages.
    package var program: String {
        switch self {
        case .apple: "Apple Passwords"
        case .chrome: "Chrome"
        case .firefox: "Firefox"
        case .bitwarden: "Bitwarden"
        case .keePassXC: "KeePassXC"
        case .onePassword: "1Password"
        case .cxf: "the Credential Exchange Format"
        }
    }

    /// The parts of a record that the form has.
    var parts: Set<ExportLosses.Kind> { Self.parts[self] ?? [] }

    private static let parts: [ExportForm: Set<ExportLosses.Kind>] = [
        .apple: [.titles, .sites, .notes, .oneTimePasswords],
        .chrome: [.titles, .sites, .notes],
        .firefox: [.sites, .realms, .dates],
        .bitwarden: [.titles, .sites, .notes, .oneTimePasswords, .fields, .folders, .favorites],
        .keePassXC: [.titles, .notes, .oneTimePasswords, .folders, .dates],
        .onePassword: [.titles, .notes, .oneTimePasswords, .tags, .favorites, .archived],
        .cxf: [
            .titles, .sites, .realms, .notes, .oneTimePasswords, .furtherOneTimePasswords, .fields, .folders, .tags,
            .favorites, .passkeys, .dates,
        ],
    ]

    /// The kinds of records that the form has.
    var kinds: Set<PasswordRecord.Kind> {
        switch self {
        case .bitwarden: [.login, .note]
        case .cxf: [.login, .note, .key]
        default: [.login]
        }
    }
}
