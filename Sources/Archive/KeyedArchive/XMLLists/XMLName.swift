/// The elements that are values.
enum XMLElement: String, CaseIterable {
    case array, dict
    case string, data, integer, real, date
    case `true`, `false`
}

/// The name of an element.
enum XMLName: Equatable {
    case value(XMLElement)
    case key, plist
    /// A name that property lists do not define, shortened for reports.
    case unknown(String)

    /// Makes the name whose text in a document is `bytes`.
    init(_ bytes: ArraySlice<UInt8>) {
        if let number = XMLName.number(of: bytes), let known = XMLName.byNumber.first(where: { $0.number == number }) {
            self = known.name
        } else {
            self = .unknown(String(shortenedForReport: bytes))
        }
    }

    /// The name as it appears in a document.
    var text: String {
        switch self {
        case .value(let element): element.rawValue
        case .key: "key"
        case .plist: "plist"
        case .unknown(let name): name
        }
    }

    // Making and hashing a string for each name would take most of the time of a small value.
    private static let byNumber = (XMLElement.allCases.map(XMLName.value) + [.key, .plist]).map { name in
        (number: number(of: Array(name.text.utf8)[...]), name: name)
    }

    /// Returns a unique number made of the bytes and their count, or `nil` if the name is longer than all known names.
    private static func number(of name: ArraySlice<UInt8>) -> UInt64? {
        guard name.count < 8 else { return nil }
        var number = UInt64(name.count)
        for byte in name { number = number << 8 | UInt64(byte) }
        return number
    }
}
