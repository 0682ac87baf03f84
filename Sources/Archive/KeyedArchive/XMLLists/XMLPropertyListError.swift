/// Why an XML property list could not be read or written, and where.
///
/// It names keys and elements, each shortened to 64 characters, but never a value, so it can be shown and logged.
///
/// ```swift
/// do {
///     let settings = try PropertyList(xml: bytes)
/// } catch {
///     print(error)  // line 7, key "keychain-access-groups": <strin> is not a property-list element
/// }
/// ```
public struct XMLPropertyListError: Error, Equatable, Sendable {
    /// What is wrong.
    public var kind: Kind

    /// The line on which the error starts, from 1.
    ///
    /// It is `nil` if there is no such line: when writing, and for an input that is rejected unread.
    public var line: Int?

    /// The innermost dictionary key at the error; `nil` outside all dictionaries.
    public var key: String?

    /// Whether a limit was exceeded, so that larger limits might help.
    public var exceedsLimit: Bool {
        switch kind {
        case .tooLarge, .tooDeep, .tooManyValues: true
        default: false
        }
    }

    /// Creates an error; a long `key` is shortened.
    public init(kind: Kind, line: Int?, key: String?) {
        self.kind = kind
        self.line = line
        self.key = key.map { String(shortenedForReport: $0) }
    }
}

extension XMLPropertyListError {
    /// The possible errors; associated strings are names of elements.
    public enum Kind: Equatable, Sendable {
        // MARK: Limits

        /// The document has more bytes than the limit.
        case tooLarge(limit: Int)
        /// Values are nested more deeply than the limit.
        case tooDeep(limit: Int)
        /// There are more values than the limit.
        case tooManyValues(limit: Int)

        // MARK: Characters

        /// The input is UTF-16; only UTF-8 is supported.
        case utf16
        /// The XML declaration names an encoding other than UTF-8 and US-ASCII.
        case unsupportedEncoding
        /// The bytes are not UTF-8.
        case invalidUTF8
        /// The XML declaration says US-ASCII, but a byte is not ASCII.
        case notASCII
        /// XML cannot represent this character, either directly or as a reference.
        case forbiddenCharacter

        /// The text is not well-formed XML, or uses an XML feature that is not supported.
        case markup(XMLMarkupError)

        // MARK: Structure

        /// There is no value.
        case noValue
        /// `<plist>` contains more than one value.
        case severalValues
        /// Text occurs before or after the root element.
        case textOutsideRoot
        /// An element occurs after the root element.
        case elementAfterRoot
        /// Text occurs in this element, which cannot contain any.
        case unexpectedText(in: String)
        /// Property lists do not define this element.
        case unknownElement(String)
        /// An element occurs where it is not allowed: at the root if `parent` is `nil`.
        case misplacedElement(String, in: String?)
        /// A key in a dictionary has no value.
        case keyWithoutValue
        /// A dictionary has this element where a key was expected.
        case valueWithoutKey(String)
        /// A dictionary has the same key twice.
        case duplicateKey

        // MARK: Scalars

        /// An `<integer>` is not a decimal or hexadecimal number.
        case malformedInteger
        /// An `<integer>` does not fit in 128 bits.
        case integerOutOfRange
        /// A `<real>` is not a number.
        case malformedReal
        /// A `<date>` is not of the form `YYYY-MM-DDThh:mm:ssZ`.
        case malformedDate
        /// A `<date>` is a day or a time that does not exist.
        case noSuchDate
        /// A `<data>` is not strict base64.
        case malformedData(Base64Error)

        // MARK: Writing

        /// XML cannot represent the null object.
        case nullNotRepresentable
        /// XML cannot represent sets.
        case setNotRepresentable
        /// A date is not finite, or is outside the years 1 to 9999.
        case dateNotRepresentable
        /// A dictionary would be read back as a `uid`.
        case uidLookalike
    }
}

extension String {
    /// Creates a string of the first 64 Unicode scalars of `name`, which bounds its size in bytes too.
    package init(shortenedForReport name: String) {
        let isShort = name.utf8.count <= 64
        self = isShort ? name : String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
    }

    /// Makes a string of the beginning of a name in a document, shortened in the same way.
    init(shortenedForReport name: ArraySlice<UInt8>) {
        // A scalar takes at most four bytes, so the rest need not even be decoded.
        self.init(shortenedForReport: String(decoding: name.prefix(4 * 64), as: UTF8.self))
    }
}
