internal import CofferBasics

/// What is wrong with the markup of an XML property list; associated strings are names of elements.
public enum XMLMarkupError: Error, Equatable, Sendable {
    /// The XML declaration is not well formed.
    case malformedDeclaration
    /// An XML declaration stands elsewhere than at the very beginning.
    case misplacedDeclaration
    /// The XML declaration names a version other than 1.0.
    case unsupportedXMLVersion
    /// The document type declaration is not well formed.
    case malformedDocumentType
    /// The document type is not `plist`.
    case wrongDocumentType(String)
    /// A document type declaration stands after the root element began, or for a second time.
    case misplacedDocumentType
    /// The document type declaration has an internal subset, which could define entities.
    case internalSubset
    /// A markup declaration such as `<!ENTITY`.
    case markupDeclaration
    /// A comment holds `--`.
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
    /// This element has the same attribute twice.
    case duplicateAttribute(String)
    /// This element has more than 16 attributes.
    case tooManyAttributes(String)
    /// This element has an attribute, and may not have any.
    case unexpectedAttribute(String)
    /// This element has no end tag.
    case unclosedElement(String)
    /// The end tag of `found` stands where that of `open` is due.
    case mismatchedEndTag(found: String, open: String, openLine: Int)
    /// The end tag of an element that was never opened.
    case strayEndTag(String)
    /// An `&` starts neither an entity nor a character reference.
    case malformedReference
    /// An entity other than the five that XML predefines.
    case undefinedEntity
    /// The text of this element holds a `<` that begins neither its end tag nor a comment, an instruction or CDATA.
    case unescapedLessThan(in: String)
    /// Text holds `]]>` outside a CDATA section.
    case strayCharacterDataEnd
}

extension XMLMarkupError: CustomStringConvertible {
    /// What is wrong, in one sentence without the place.
    public var description: String {
        switch self {
        case .malformedDeclaration: "the XML declaration is malformed"
        case .misplacedDeclaration: "an XML declaration can only stand at the very beginning"
        case .unsupportedXMLVersion: "only XML 1.0 is read"
        case .malformedDocumentType: "the document type declaration is malformed"
        case .wrongDocumentType(let name): "the document type is \(name.printable) instead of plist"
        case .misplacedDocumentType: "a document type declaration can stand only once, before the root element"
        case .internalSubset: "a document type with an internal subset is refused"
        case .markupDeclaration: "a markup declaration is refused"
        case .malformedComment: "a comment cannot hold \"--\""
        case .unclosedComment: "this comment has no end"
        case .malformedInstruction: "this processing instruction is malformed"
        case .unclosedInstruction: "this processing instruction has no end"
        case .unclosedCharacterData: "this CDATA section has no end"
        case .malformedTag: "this tag is malformed"
        case .malformedAttribute(let element): "an attribute of <\(element.printable)> is malformed"
        case .duplicateAttribute(let element): "<\(element.printable)> has the same attribute twice"
        case .tooManyAttributes(let element): "<\(element.printable)> has too many attributes"
        case .unexpectedAttribute(let element): "<\(element.printable)> cannot have attributes"
        case .unclosedElement(let element): "<\(element.printable)> has no end tag"
        case .mismatchedEndTag(let found, let open, let openLine):
            "</\(found.printable)> does not close <\(open.printable)> of line \(openLine)"
        case .strayEndTag(let element): "</\(element.printable)> closes nothing"
        case .malformedReference: "an & starts neither an entity nor a character reference"
        case .undefinedEntity: "this entity is not one of the five that XML predefines"
        case .unescapedLessThan(let element): "a < in the text of <\(element.printable)> does not begin its end tag"
        case .strayCharacterDataEnd: "\"]]>\" can only end a CDATA section"
        }
    }
}
