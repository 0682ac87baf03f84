package import CofferBasics

/// A record of a password file: a login, a note, a card, a key.
package struct PasswordRecord {
    /// What the record is.
    package enum Kind: String, Sendable {
        case login
        case note
        case card
        case identity
        case key
        case wifi
        case other
    }

    /// Where the record is in its file, for messages: `row 7`, `item 12`, a path.
    package var place: String
    package var kind: Kind
    package var title = ""
    /// The addresses as they are written; the first one is the main one.
    package var sites: [String] = []
    /// The realm of HTTP authentication.
    package var realm = ""
    package var account = ""
    /// The password, the text of a note, or the key; nil if there is none, which differs from an empty one.
    package var secret: HeldSecret?
    package var notes: HeldSecret?
    /// One-time passwords as `otpauth://` URIs.
    package var oneTimePasswords: [HeldSecret] = []
    /// All other fields, in the order of the file.
    package var fields: [Field] = []
    /// The names of the folders around the record, from the outermost on.
    package var folders: [String] = []
    package var tags: [String] = []
    package var isFavorite = false
    package var isArchived = false
    package var isTrashed = false
    /// The passwords that the record had before, oldest first.
    package var formerSecrets: [FormerSecret] = []
    package var attachments: [Attachment] = []
    package var passkeys: [Passkey] = []
    /// When the record was created, in seconds since 1970.
    package var created: Int64?
    /// When the record was changed, in seconds since 1970.
    package var changed: Int64?
    /// Apple's attributes, if the file has them.
    package var appleItem: AppleItem?
    /// What the reader did not take, in words without secrets.
    package var losses: [String] = []

    package init(_ kind: Kind = .login, at place: String) {
        (self.kind, self.place) = (kind, place)
    }

    /// What its user calls the record, for messages: its title, else its main address and account, else its place.
    package var name: String {
        let names = title.isEmpty ? [sites.first ?? "", account].filter { !$0.isEmpty } : [title]
        return names.isEmpty ? place : names.map(\.shortened.printable).joined(separator: " ")
    }

    /// A field that the file's program or its user has added.
    package struct Field {
        package var name: String
        package var value: HeldSecret
        /// Whether the value is hidden in the file's program.
        package var isHidden: Bool

        package init(_ name: String, _ value: HeldSecret, isHidden: Bool = false) {
            (self.name, self.value, self.isHidden) = (name, value, isHidden)
        }

        /// A field whose value is not secret.
        init(_ name: String, _ value: String) {
            let bytes = Array(value.utf8)
            self.init(name, HeldSecret(copying: bytes.span))
        }
    }

    /// A password that was replaced.
    package struct FormerSecret {
        package var secret: HeldSecret
        /// When it was replaced or last used, in seconds since 1970.
        package var time: Int64?

        package init(_ secret: HeldSecret, time: Int64?) {
            (self.secret, self.time) = (secret, time)
        }
    }

    /// A file that belongs to the record.
    package struct Attachment {
        package var name: String
        package var content: HeldSecret

        package init(_ name: String, _ content: HeldSecret) {
            (self.name, self.content) = (name, content)
        }
    }

    /// A passkey.
    package struct Passkey {
        /// The site that accepts it.
        package var relyingParty: String
        package var userName: String
        package var displayName: String
        package var credentialID: [UInt8]
        package var userHandle: [UInt8]
        /// The private key: PKCS #8, DER.
        package var key: HeldSecret

        package init(
            relyingParty: String,
            userName: String,
            displayName: String,
            credentialID: [UInt8],
            userHandle: [UInt8],
            key: HeldSecret
        ) {
            (self.relyingParty, self.userName, self.displayName) = (relyingParty, userName, displayName)
            (self.credentialID, self.userHandle, self.key) = (credentialID, userHandle, key)
        }
    }

    /// An item of a keychain, by Apple's four-letter names.
    package struct AppleItem {
        /// `genp` or `inet`.
        package var itemClass: String
        /// The attributes, such as `acct`, in the order of the file.
        package var attributes: [(name: String, value: [UInt8])]

        package init(itemClass: String, attributes: [(name: String, value: [UInt8])]) {
            (self.itemClass, self.attributes) = (itemClass, attributes)
        }
    }
}

/// What a password file contains.
package struct PasswordFile {
    /// The program and form of the file, in words: `Bitwarden JSON`.
    package var form: String
    package var records: [PasswordRecord] = []
    /// Parts that could not be read, each with its place and the reason, without secrets.
    package var refused: [String] = []
    /// What was left out of the file as a whole: parts not opened, unknown keys.
    package var losses: [String] = []
    /// What is true of every file of this form: what its program never exports, and what is never taken over.
    package var remarks: [String] = []
    /// How many more bytes its records may have.
    var freeByteCount: Int

    /// Nothing yet, of a file with this many bytes, which bound what its records may have.
    package init(form: String, byteCount: Int) {
        self.form = form
        freeByteCount = Self.recordByteCountLimit(ofFileWith: byteCount)
    }
}

/// Why a password file cannot be read at all.
package enum PasswordFileError: Error, Equatable {
    /// The form of the file is unknown.
    case unknownForm
    /// The form is known, and cannot be read: why, and what to export instead.
    case unsupported(String)
    /// The file is not what it begins as: where, and what is wrong.
    case invalid(String)
    /// A limit is exceeded: which.
    case tooLarge(String)

    /// What is wrong, in words without secrets.
    package var description: String {
        switch self {
        case .unknownForm: "not a file of a known program"
        case .unsupported(let text), .invalid(let text), .tooLarge(let text): text
        }
    }
}

extension PasswordFileError: LayerError {
    package init(_ error: any Error) {
        self =
            switch error {
            case let error as PasswordFileError: error
            case TextError.invalid(let text): .invalid(text)
            case TextError.tooLarge(let text): .tooLarge(text)
            default: .invalid("\(error)")
            }
    }
}
