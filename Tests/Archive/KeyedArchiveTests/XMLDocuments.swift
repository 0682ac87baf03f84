import KeyedArchive
import Testing

/// Reads a document given as text.
func read(
    _ document: String,
    limits: DecodingLimits = .standard
) throws(XMLPropertyListError) -> PropertyList {
    try PropertyList(xml: Array(document.utf8), limits: limits)
}

/// Writes `value` and returns the content of `<plist>`.
func written(_ value: PropertyList) throws -> String {
    let document = String(decoding: try value.xmlEncoded(), as: UTF8.self)
    let start = try #require(document.firstRange(of: "<plist version=\"1.0\">\n")).upperBound
    let end = try #require(document.firstRange(of: "\n</plist>\n")).lowerBound
    return String(document[start..<end])
}

/// A document and the value it represents.
struct Accepted: CustomTestStringConvertible, Sendable {
    let document: String
    let value: PropertyList

    init(_ document: String, _ value: PropertyList) {
        self.document = document
        self.value = value
    }

    var testDescription: String { String(document.prefix(80)).debugDescription }

    /// Expects that the document is read as the value.
    func expect(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try read(document) == value, sourceLocation: sourceLocation)
    }
}

/// A document and the exact error it gives.
struct Refused: CustomTestStringConvertible, Sendable {
    let document: String
    let error: XMLPropertyListError

    init(_ document: String, _ kind: XMLPropertyListError.Kind, line: Int = 1, key: String? = nil) {
        self.document = document
        error = XMLPropertyListError(kind: kind, line: line, key: key)
    }

    var testDescription: String { String(document.prefix(80)).debugDescription }

    /// Expects that reading the document throws the error.
    func expect(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: error, sourceLocation: sourceLocation) { try read(document) }
    }
}
