internal import CofferBasics

/// An error in the markup of an XML property list; associated strings are names of elements.
public enum XMLMarkupError: Error, Equatable, Sendable {
    /// The XML declaration is not well formed.
    case malformedDeclaration
    /// An XML declaration is not at the very beginning.
    case misplacedDeclaration
    /// The XML declaration names a version other than 1.0.
    case unsupportedXMLVersion
    /// The document type declaration is not well formed.
    case malformedDocumentType
    /// The document type is not `plist`.
    case wrongDocumentType(String)
    /// A document type declaration occurs after the start of the root element, or for a second time.
    case misplacedDocumentType
    /// The document type declaration has an internal subset, which could define entities.
    case internalSubset
    /// A markup declaration such as `<!ENTITY`.
    case markupDeclaration
    /// A comment contains `--`.
    case malformedComment
    /// A comment has no end.
    case unclosedComment
    /// A processing instruction has no name, or no white space after it.
    case malformedInstruction
    /// A processing instruction has no end.
    case unclosedInstruction
    /// A CDATA section has no end.
    case unclosedCharacterData
    /// A tag is not well formed.
    case malformedTag
    /// An attribute of this element is not well formed.
    case malformedAttribute(String)
    /// This element has two attributes of the same name.
    case duplicateAttribute(String)
    /// This element has more than 16 attributes.
    case tooManyAttributes(String)
    /// This element has an attribute, but must not have any.
    case unexpectedAttribute(String)
    /// This element has no end tag.
    case unclosedElement(String)
    /// The end tag of `found` occurs where that of `open` was expected.
    case mismatchedEndTag(found: String, open: String, openLine: Int)
    /// An end tag has no matching start tag.
    case strayEndTag(String)
    /// An `&` does not begin an entity or a character reference.
    case malformedReference
    /// An entity other than the five that XML predefines.
    case undefinedEntity
    /// The text of this element contains a `<` that begins neither its end tag nor a comment, an instruction or CDATA.
    case unescapedLessThan(in: String)
    /// Text contains `]]>` outside a CDATA section.
    case strayCharacterDataEnd
}

extension XMLMarkupError: CustomStringConvertible {
    /// What is wrong, in one sentence without the location.
    public var description: String {
        switch self {
        case .malformedDeclaration: "the XML declaration is malformed"
        case .misplacedDeclaration: "an XML declaration is allowed only at the very beginning"
        case .unsupportedXMLVersion: "unsupported XML version: expected 1.0"
        case .malformedDocumentType: "the document type declaration is malformed"
        case .wrongDocumentType(let name): "unsupported document type \(name.printable): expected plist"
        case .misplacedDocumentType: "a document type declaration is allowed only once, before the root element"
        case .internalSubset: "unsupported document type: internal subsets are not allowed"
        case .markupDeclaration: "markup declarations are not allowed"
        case .malformedComment: "\"--\" is not allowed in a comment"
        case .unclosedComment: "a comment has no end"
        case .malformedInstruction: "a processing instruction is malformed"
        case .unclosedInstruction: "a processing instruction has no end"
        case .unclosedCharacterData: "a CDATA section has no end"
        case .malformedTag: "a tag is malformed"
        case .malformedAttribute(let element): "an attribute of <\(element.printable)> is malformed"
        case .duplicateAttribute(let element): "duplicate attribute in <\(element.printable)>"
        case .tooManyAttributes(let element): "too many attributes in <\(element.printable)>"
        case .unexpectedAttribute(let element): "attributes are not allowed in <\(element.printable)>"
        case .unclosedElement(let element): "<\(element.printable)> has no end tag"
        case .mismatchedEndTag(let found, let open, let openLine):
            "</\(found.printable)> does not match <\(open.printable)> in line \(openLine)"
        case .strayEndTag(let element): "</\(element.printable)> has no start tag"
        case .malformedReference: "an & does not begin an entity or a character reference; write it as &amp;"
        case .undefinedEntity: "an entity is not one of the five that XML predefines"
        case .unescapedLessThan(let element): "unescaped < in the text of <\(element.printable)>; write it as &lt;"
        case .strayCharacterDataEnd: "\"]]>\" is allowed only at the end of a CDATA section"
        }
    }
}
