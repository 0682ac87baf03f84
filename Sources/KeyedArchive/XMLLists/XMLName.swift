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
    /// A name that property lists do not have, cut for reports.
    case unknown(String)

    /// The name that stands in a document as `bytes`.
    init(_ bytes: ArraySlice<UInt8>) {
        if let number = XMLName.number(of: bytes), let known = XMLName.byNumber.first(where: { $0.number == number }) {
            self = known.name
        } else {
            self = .unknown(String(cuttingForReport: bytes))
        }
    }

    /// The name as it stands in a document.
    var text: String {
        switch self {
        case .value(let element): element.rawValue
        case .key: "key"
        case .plist: "plist"
        case .unknown(let name): name
        }
    }

    // A string for each name, and its hash, would take most of the time that a small value takes.
    private static let byNumber = (XMLElement.allCases.map(XMLName.value) + [.key, .plist]).map { name in
        (number: number(of: Array(name.text.utf8)[...]), name: name)
    }

    /// The bytes of a name and their count as one number, which no other name has; `nil` if it is longer than all known.
    private static func number(of name: ArraySlice<UInt8>) -> UInt64? {
        guard name.count < 8 else { return nil }
        var number = UInt64(name.count)
        for byte in name { number = number << 8 | UInt64(byte) }
        return number
    }
}
