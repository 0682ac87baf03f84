internal import CofferBasics

/// A form of password files: how it is recognized, and how it is read.
///
/// `Content` is what the file was found to be: a table, a JSON value, an archive. `Form<Content>.all` lists the forms of
/// each, and the first that matches is used.
struct Form<Content>: Sendable {
    let matches: @Sendable (Content) -> Bool
    let read: @Sendable (Content, ReadingOptions) throws -> PasswordFile
}

/// A file whose form is recognized by its name or its first line.
struct NamedFile {
    let bytes: HeldSecret
    let name: String
}

extension Form where Content == NamedFile {
    static var all: [Form] { [.keychainDump, .netrc, .dotenv, .aws, .gitCredentials, .npmrc, .pypirc] }
}

extension Form where Content == JSONNode {
    static var all: [Form] { [.credentialExchange, .protonPass, .enpass, .bitwarden, .docker] }
}

extension Form where Content == XMLNode {
    static var all: [Form] { [.keePass] }
}

extension Form where Content == ZipArchive {
    // Bitwarden's is recognized by the name of a file, and an attachment may be a CSV file.
    static var all: [Form] { [.onePassword, .protonPass, .credentialExchange, .bitwarden, .csvFiles] }
}

extension Form where Content == CSVTable {
    // Chrome and Apple have the fewest columns, so they are the last.
    static var all: [Form] {
        [firefox, bitwarden, bitwarden2017, proton, lastPass, lastPassProfiles] + dashlane
            + [onePassword, keePassXC, keePass1, apple, chrome]
    }
}

/// What the user says about a password file.
package struct ReadingOptions: Sendable {
    /// Which columns of a CSV file have what; nil if the form is to be found by its header.
    package var columns: CSVColumns?
    /// Whether `&amp;` and other references are decoded in files of LastPass, which once wrote them.
    package var decodesHTMLEntities = false

    /// Options by which the form is found, and all is read as it is.
    package init() {}
}

/// The names of the columns of a CSV file; columns that are not named become fields.
package struct CSVColumns: Sendable {
    package var title: String?
    package var site: String?
    package var account: String?
    package var password: String?
    package var notes: String?
    /// The column of codes: URIs or secrets.
    package var oneTimePassword: String?

    /// No column is named.
    package init() {}
}
