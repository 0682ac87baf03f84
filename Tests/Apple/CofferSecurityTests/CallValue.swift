import Foundation
import Security
import Testing

/// A value for a dictionary, as an argument of a test.
struct CallValue: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let make: @Sendable () -> Any

    init(_ name: String, _ make: @escaping @Sendable () -> Any) {
        testDescription = name
        self.make = make
    }

    var object: Any { make() }

    static let null = CallValue("null") { NSNull() }
    static let url = CallValue("URL") { URL(filePath: "/") }
    static let uuid = CallValue("UUID") { UUID() }
    static let array = CallValue("array") { ["x"] }
    static let dictionary = CallValue("dictionary") { ["x": 1] }
    static let set = CallValue("set") { NSSet(array: ["x"]) }
    static let object = CallValue("object") { NSObject() }
    static let accessControl = CallValue("access control") {
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil) as Any
    }

    static func data(_ bytes: [UInt8]) -> CallValue { CallValue("data \(bytes)") { Data(bytes) } }
    static func data(_ text: String) -> CallValue { CallValue("data “\(text)”") { Data(text) } }
    static func date(_ seconds: Double) -> CallValue {
        CallValue("date \(seconds)") { Date(timeIntervalSinceReferenceDate: seconds) }
    }

    /// Values that no attribute accepts.
    static let others: [CallValue] = [.url, .uuid, .array, .dictionary, .set, .object]
}

extension [String: CallValue] {
    /// The values as a dictionary for a call.
    var objects: [CFString: Any] { reduce(into: [:]) { $0[$1.key as CFString] = $1.value.object } }
}

extension CallValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    init(stringLiteral value: String) { self.init("“\(value)”") { value } }
    init(integerLiteral value: Int) { self.init("\(value)") { value } }
    init(floatLiteral value: Double) { self.init("\(value)") { value } }
    init(booleanLiteral value: Bool) { self.init("\(value)") { value } }
}
