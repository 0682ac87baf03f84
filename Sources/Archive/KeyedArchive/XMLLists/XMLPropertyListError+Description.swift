internal import CofferBasics

extension XMLPropertyListError: CustomStringConvertible {
    /// One sentence, such as `line 7, key "group": <strin> is not a property-list element`.
    public var description: String {
        let places = [line.map { "line \($0)" }, key.map { "key \"\($0.printable)\"" }].compactMap(\.self)
        return places.isEmpty ? kind.description : "\(places.joined(separator: ", ")): \(kind.description)"
    }
}

extension XMLPropertyListError.Kind: CustomStringConvertible {
    /// What is wrong, in one sentence without the location.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "document too large (limit \(limit.grouped) bytes)"
        case .tooDeep(let limit): "values are nested too deeply (limit \(limit))"
        case .tooManyValues(let limit): "too many values (limit \(limit.grouped))"
        case .utf16: "unsupported encoding UTF-16: expected UTF-8"
        case .unsupportedEncoding: "unsupported encoding in the XML declaration: expected UTF-8 or US-ASCII"
        case .invalidUTF8: "invalid UTF-8"
        case .notASCII: "a byte is not ASCII, but the XML declaration says US-ASCII"
        case .forbiddenCharacter: "invalid character: XML cannot represent it"
        case .noValue: "the document has no value"
        case .severalValues: "<plist> contains more than one value"
        case .textOutsideRoot: "text is not allowed outside the root element"
        case .elementAfterRoot: "elements are not allowed after the root element"
        case .unexpectedText(let element): "text is not allowed in <\(element.printable)>"
        case .unknownElement(let element): "<\(element.printable)> is not a property-list element"
        case .misplacedElement(let element, nil): "<\(element.printable)> cannot be the root element"
        case .misplacedElement(let element, let parent?):
            "<\(element.printable)> is not allowed in <\(parent.printable)>"
        case .keyWithoutValue: "the value is missing"
        case .valueWithoutKey(let element): "expected <key>, found <\(element.printable)>"
        case .duplicateKey: "duplicate key in a dictionary"
        case .nullNotRepresentable: "XML cannot represent null"
        case .setNotRepresentable: "XML cannot represent sets"
        case .dateNotRepresentable: "this date is outside the years 1 to 9999"
        case .uidLookalike: "this dictionary would be read back as a uid"
        case .markup(let error): error.description
        case .malformedInteger: "<integer> is not a decimal or hexadecimal number"
        case .integerOutOfRange: "<integer> does not fit in 128 bits"
        case .malformedReal: "<real> is not a number"
        case .malformedDate: "<date> does not have the form YYYY-MM-DDThh:mm:ssZ"
        case .noSuchDate: "<date> is a day or time that does not exist"
        case .malformedData(let error): "<data> is not valid base64: \(error)"
        }
    }
}
