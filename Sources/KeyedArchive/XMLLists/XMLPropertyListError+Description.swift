internal import CofferBasics

extension XMLPropertyListError: CustomStringConvertible {
    /// One sentence, such as `line 7, key "group": <strin> is not a property-list element`.
    public var description: String {
        let places = [line.map { "line \($0)" }, key.map { "key \"\($0.printable)\"" }].compactMap(\.self)
        return places.isEmpty ? kind.description : "\(places.joined(separator: ", ")): \(kind.description)"
    }
}

extension XMLPropertyListError.Kind: CustomStringConvertible {
    /// What is wrong, in one sentence without the place.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "the document has more than \(limit) bytes"
        case .tooDeep(let limit): "values lie more than \(limit) deep in one another"
        case .tooManyValues(let limit): "there are more than \(limit) values"
        case .utf16: "the text is UTF-16; only UTF-8 is read"
        case .unsupportedEncoding: "the declared encoding is neither UTF-8 nor US-ASCII"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .notASCII: "this byte is not ASCII, as the declaration promises"
        case .forbiddenCharacter: "this holds a character that XML cannot express"
        case .noValue: "there is no value"
        case .severalValues: "<plist> holds more than one value"
        case .textOutsideRoot: "there is text outside the root element"
        case .elementAfterRoot: "there is an element after the root element"
        case .unexpectedText(let element): "text has no place in <\(element.printable)>"
        case .unknownElement(let element): "<\(element.printable)> is not a property-list element"
        case .misplacedElement(let element, nil): "<\(element.printable)> cannot be the root element"
        case .misplacedElement(let element, let parent?):
            "<\(element.printable)> has no place in <\(parent.printable)>"
        case .keyWithoutValue: "the value is missing"
        case .valueWithoutKey(let element): "<\(element.printable)> stands where a <key> is due"
        case .duplicateKey: "this key stands twice in one dictionary"
        case .nullNotRepresentable: "XML has no form for null"
        case .setNotRepresentable: "XML has no form for sets"
        case .dateNotRepresentable: "this date is outside the years 1 to 9999"
        case .uidLookalike: "this dictionary would be read back as a uid"
        case .markup(let error): error.description
        case .malformedInteger: "<integer> is not a decimal or hexadecimal number"
        case .integerOutOfRange: "<integer> needs more than 128 bits"
        case .malformedReal: "<real> is not a number"
        case .malformedDate: "<date> is not of the form YYYY-MM-DDThh:mm:ssZ"
        case .noSuchDate: "<date> names a day or time that does not exist"
        case .malformedData(let error): "<data> is not base64: \(error)"
        }
    }
}
