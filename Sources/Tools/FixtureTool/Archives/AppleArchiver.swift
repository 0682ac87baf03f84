/// A value as an archiver sees it; collections are archived in the order given here.
indirect enum AppleValue {
    case null
    case scalar(AppleNode)
    case date(Double)
    case uuid([UInt8])
    case url(String, base: AppleValue?)
    case array([AppleValue])
    case set([AppleValue])
    case dictionary([(AppleValue, AppleValue)])
    case object([String], [(String, AppleField)])

    static func string(_ text: String) -> AppleValue { .scalar(.string(text)) }
    static func int(_ value: Int64) -> AppleValue { .scalar(.int(value)) }
}

/// A field of an object.
enum AppleField {
    case inline(AppleNode)
    case reference(AppleValue)
    case noObject
    case list([AppleValue])
}

/// Numbers objects as Apple's archivers do: an object, its parts, and then its class if that is new.
struct AppleArchiver {
    private var objects: [AppleNode] = []
    private var uidOfScalar: [[UInt8]: UInt64] = [:]
    private var uidOfClass: [[String]: UInt64] = [:]

    /// Returns the archive with `root` as its root.
    static func archive(_ root: AppleValue) -> AppleNode {
        var archiver = AppleArchiver()
        let uid = archiver.uid(of: root)
        return .archive(archiver.objects, top: [("root", .uid(uid))])
    }

    private mutating func uid(of value: AppleValue) -> UInt64 {
        switch value {
        case .scalar(let node):
            let bytes = node.propertyList
            if let known = uidOfScalar[bytes] { return known }
            objects.append(node)
            uidOfScalar[bytes] = UInt64(objects.count)
            return UInt64(objects.count)
        case .null: return instance(["NSNull", "NSObject"]) { _ in [] }
        case .date(let seconds): return instance(["NSDate", "NSObject"]) { _ in [("NS.time", .real(seconds))] }
        case .uuid(let bytes): return instance(["NSUUID", "NSObject"]) { _ in [("NS.uuidbytes", .data(bytes))] }
        case .url(let text, let base):
            return instance(["NSURL", "NSObject"]) { archiver in
                let baseUID = base.map { archiver.uid(of: $0) } ?? 0
                return [("NS.base", .uid(baseUID)), ("NS.relative", .uid(archiver.uid(of: .string(text))))]
            }
        case .array(let elements):
            return instance(["NSArray", "NSObject"]) { [("NS.objects", $0.list(elements))] }
        case .set(let elements):
            return instance(["NSSet", "NSObject"]) { [("NS.objects", $0.list(elements))] }
        case .dictionary(let entries):
            return instance(["NSDictionary", "NSObject"]) {
                [("NS.keys", $0.list(entries.map(\.0))), ("NS.objects", $0.list(entries.map(\.1)))]
            }
        case .object(let names, let fields):
            return instance(names) { archiver in fields.map { ($0.0, archiver.node(of: $0.1)) } }
        }
    }

    private mutating func list(_ values: [AppleValue]) -> AppleNode {
        .array(values.map { .uid(uid(of: $0)) })
    }

    private mutating func node(of field: AppleField) -> AppleNode {
        switch field {
        case .inline(let node): node
        case .reference(let value): .uid(uid(of: value))
        case .noObject: .uid(0)
        case .list(let values): list(values)
        }
    }

    private mutating func instance(
        _ names: [String],
        _ fields: (inout AppleArchiver) -> [(String, AppleNode)]
    ) -> UInt64 {
        let index = objects.count
        objects.append(.array([]))
        let fields = fields(&self)
        if uidOfClass[names] == nil {
            objects.append(
                .dictionary([("$classname", .string(names[0])), ("$classes", .array(names.map { .string($0) }))])
            )
            uidOfClass[names] = UInt64(objects.count)
        }
        objects[index] = .dictionary(fields + [("$class", .uid(uidOfClass[names] ?? 0))])
        return UInt64(index + 1)
    }
}
