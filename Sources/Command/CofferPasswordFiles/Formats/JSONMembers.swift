internal import CofferBasics

/// The members of a JSON object, which a reader takes one by one, so that it can tell what is left over.
///
/// Null, empty texts, empty arrays and empty objects are the same as missing members. A value of another kind than the
/// one that is asked for is not taken.
struct JSONMembers {
    private let node: JSONNode?
    /// The indexes of the values that were taken.
    private var taken: [Int] = []

    /// The members of `node`; none if it is not an object.
    init(_ node: JSONNode?) {
        self.node = node?.kind == .object ? node : nil
    }

    /// What `read` makes of the value of a key, unless that is nil or the value was taken before.
    mutating func take<Value>(_ name: String, _ read: (JSONNode) -> Value?) -> Value? {
        guard let node = node?[name], !node.isEmpty, !taken.contains(node.index), let value = read(node) else {
            return nil
        }
        taken.append(node.index)
        return value
    }

    /// The value of a key, whatever it is.
    mutating func take(_ name: String) -> JSONNode? { take(name) { $0 } }

    /// A string, or a number or Boolean as it is written.
    mutating func secret(_ name: String) -> HeldSecret? { take(name, \.secret) }

    /// The same as `secret`, for what is not secret.
    mutating func text(_ name: String) -> String? { take(name, \.text) }

    mutating func integer(_ name: String) -> Int64? { take(name, \.integer) }

    /// The bytes of base64 text.
    mutating func base64(_ name: String) -> HeldSecret? { take(name) { $0.secret?.base64Decoded } }

    /// Whether a flag is set: a Boolean, or 0 or 1, also in a string.
    mutating func isTrue(_ name: String) -> Bool {
        let flag = take(name) { value -> Bool? in
            guard value.kind != .bool, value.integer == nil, let text = value.text else { return value.isTrue }
            return ["true", "false"].contains(text) ? value.isTrue : nil
        }
        return flag ?? false
    }

    /// A date: text, or seconds or milliseconds since 1970.
    mutating func date(_ name: String) -> Int64? {
        take(name) { value in
            guard let text = value.text else { return nil }
            if let date = FileDate.text(text) { return date }
            return Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }.flatMap(FileDate.seconds)
        }
    }

    /// The elements of an array.
    mutating func elements(_ name: String) -> [JSONNode] {
        take(name) { $0.kind == .array ? $0.elements : nil } ?? []
    }

    /// The objects of an array; if it has anything else except null, it also stays in what is left over.
    mutating func objects(_ name: String) -> [JSONNode] {
        guard let array = node?[name], array.kind == .array, !taken.contains(array.index) else { return [] }
        let elements = array.elements
        if elements.allSatisfy({ $0.kind == .object || $0.kind == .null }) { taken.append(array.index) }
        return elements.filter { $0.kind == .object }
    }

    /// The texts of an array, if it has nothing else.
    mutating func texts(_ name: String) -> [String] {
        take(name) { array -> [String]? in
            guard array.kind == .array else { return nil }
            let elements = array.elements.filter { $0.kind != .null }
            let texts = elements.compactMap(\.text)
            return texts.count == elements.count ? texts : nil
        } ?? []
    }

    /// An object.
    mutating func object(_ name: String) -> JSONNode? { take(name) { $0.kind == .object ? $0 : nil } }

    /// The members of an object.
    mutating func members(_ name: String) -> JSONMembers { JSONMembers(object(name)) }

    /// Leaves out members that are not worth keeping.
    mutating func skip(_ names: String...) {
        for name in names { _ = take(name) }
    }

    var isObject: Bool { node != nil }

    /// Lends each member that was not taken to `body`, in the order of the file.
    func forEachRest(_ body: (_ name: String, _ value: JSONNode) -> Void) {
        node?.forEachMember { key, value in
            if !value.isEmpty, !taken.contains(value.index) { body(key.keyName, value) }
        }
    }
}

extension JSONNode {
    /// Whether the value is a string, a number or a Boolean.
    var isScalar: Bool { kind == .string || kind == .number || kind == .bool }
}
