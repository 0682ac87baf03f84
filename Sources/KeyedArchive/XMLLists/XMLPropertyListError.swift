/// Why an XML property list could not be read or written, and where.
///
/// It names keys and elements, each cut to 64 characters, and never a value, so it may be shown and logged.
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

    /// The line on which the malformed thing starts, from 1.
    ///
    /// It is `nil` when there is no such line: when writing, and for an input that is refused unread.
    public var line: Int?

    /// The innermost dictionary key under which it happened; `nil` outside every dictionary.
    public var key: String?

    /// Whether a limit was exceeded, so that larger limits might help.
    public var exceedsLimit: Bool {
        switch kind {
        case .tooLarge, .tooDeep, .tooManyValues: true
        default: false
        }
    }

    /// Makes an error; a long `key` is cut.
    public init(kind: Kind, line: Int?, key: String?) {
        self.kind = kind
        self.line = line
        self.key = key.map { String(cuttingForReport: $0) }
    }
}

extension XMLPropertyListError {
    /// What can be wrong; associated strings are names of elements.
    public enum Kind: Equatable, Sendable {
        // MARK: Limits

        /// The document has more bytes than the limit allows.
        case tooLarge(limit: Int)
        /// Values lie deeper in one another than the limit allows.
        case tooDeep(limit: Int)
        /// There are more values than the limit allows.
        case tooManyValues(limit: Int)

        // MARK: Characters

        /// The input is UTF-16; only UTF-8 is read.
        case utf16
        /// The XML declaration names an encoding other than UTF-8 and US-ASCII.
        case unsupportedEncoding
        /// The bytes are not UTF-8.
        case invalidUTF8
        /// The XML declaration says US-ASCII, but a byte is none.
        case notASCII
        /// XML has no place for this character, neither as itself nor as a reference.
        case forbiddenCharacter

        /// The text is not well-formed XML, or uses a part of XML that is refused.
        case markup(XMLMarkupError)

        // MARK: Structure

        /// There is no value.
        case noValue
        /// `<plist>` holds more than one value.
        case severalValues
        /// Text stands before or after the root element.
        case textOutsideRoot
        /// An element stands after the root element.
        case elementAfterRoot
        /// Text stands in this element, which cannot have any.
        case unexpectedText(in: String)
        /// No property list has such an element.
        case unknownElement(String)
        /// An element stands where it may not: at the root if `parent` is `nil`.
        case misplacedElement(String, in: String?)
        /// A dictionary ends after a key.
        case keyWithoutValue
        /// A dictionary has this element where a key is due.
        case valueWithoutKey(String)
        /// A dictionary has the same key twice.
        case duplicateKey

        // MARK: Scalars

        /// An `<integer>` is not a decimal or hexadecimal number.
        case malformedInteger
        /// An `<integer>` needs more than 128 bits.
        case integerOutOfRange
        /// A `<real>` is not a number.
        case malformedReal
        /// A `<date>` is not of the form `YYYY-MM-DDThh:mm:ssZ`.
        case malformedDate
        /// A `<date>` names a day or a time that does not exist.
        case noSuchDate
        /// A `<data>` is not strict base64.
        case malformedData(Base64Error)

        // MARK: Writing

        /// XML has no form for the null object.
        case nullNotRepresentable
        /// XML has no form for sets.
        case setNotRepresentable
        /// A date that is not finite, or outside the years 1 to 9999.
        case dateNotRepresentable
        /// A dictionary that would be read back as a `uid`.
        case uidLookalike
    }
}

extension String {
    /// The first 64 characters of `name`, counted as Unicode scalars, so that the size in bytes is bounded too.
    package init(cuttingForReport name: String) {
        let isShort = name.utf8.count <= 64
        self = isShort ? name : String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
    }

    /// The beginning of a name in a document, as short as above.
    init(cuttingForReport name: ArraySlice<UInt8>) {
        // No scalar takes more than four bytes, so the rest need not even be decoded.
        self.init(cuttingForReport: String(decoding: name.prefix(4 * 64), as: UTF8.self))
    }
}
