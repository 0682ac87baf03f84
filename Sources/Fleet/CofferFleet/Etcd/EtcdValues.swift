internal import CofferBasics

/// A key with its value.
package struct EtcdValue: Equatable, Sendable {
    package let key: [UInt8]
    package let value: [UInt8]
    /// The revision in which the key was created, which is the fencing number of a lock.
    package let createRevision: Int64
    /// The revision in which the value was last changed.
    package let modRevision: Int64
    package let lease: Int64

    package init(key: [UInt8], value: [UInt8], createRevision: Int64, modRevision: Int64, lease: Int64 = 0) {
        (self.key, self.value, self.lease) = (key, value, lease)
        (self.createRevision, self.modRevision) = (createRevision, modRevision)
    }
}

/// The keys of one request: one, or all from a first one to before an end.
package struct EtcdKeys: Equatable, Sendable {
    package let first: [UInt8]
    /// The key behind the last one; nil for one key.
    package let end: [UInt8]?

    package static func one(_ key: [UInt8]) -> EtcdKeys { EtcdKeys(first: key, end: nil) }

    /// All keys from `first` to before `end`.
    package static func range(from first: [UInt8], to end: [UInt8]) -> EtcdKeys { EtcdKeys(first: first, end: end) }

    /// All keys that begin with `prefix`, from `first` on; `prefix` must not be empty, and not end with 255.
    package static func all(under prefix: [UInt8], from first: [UInt8]? = nil) -> EtcdKeys {
        EtcdKeys(first: first ?? prefix, end: prefix.dropLast() + [(prefix.last ?? 0) + 1])
    }

    /// Whether a key is one of them.
    func contain(_ key: [UInt8]) -> Bool {
        guard let end else { return key == first }
        // A zero byte as the end stands for all later keys.
        return !key.lexicographicallyPrecedes(first) && (end == [0] || key.lexicographicallyPrecedes(end))
    }
}

/// A condition of a transaction.
package enum EtcdCondition: Equatable, Sendable {
    /// The key was last changed in this revision; 0 if it must not exist.
    case changed([UInt8], in: Int64)
    /// The key was created in this revision; 0 if it must not exist.
    case created([UInt8], in: Int64)
    case exists([UInt8])
}

/// A part of a transaction.
package enum EtcdOperation: Equatable, Sendable {
    case put([UInt8], [UInt8], lease: Int64 = 0)
    case read(EtcdKeys, limit: Int = 0)
    case delete(EtcdKeys)
}

/// A transaction: if all conditions hold, the first operations, else the others.
package struct EtcdTransaction: Equatable, Sendable {
    package var conditions: [EtcdCondition] = []
    package var operations: [EtcdOperation] = []
    package var otherwise: [EtcdOperation] = []

    package init(
        if conditions: [EtcdCondition] = [],
        _ operations: [EtcdOperation],
        else otherwise: [EtcdOperation] = []
    ) {
        (self.conditions, self.operations, self.otherwise) = (conditions, operations, otherwise)
    }
}

/// The result of a read.
package struct EtcdFound: Equatable, Sendable {
    package var values: [EtcdValue]
    /// Whether the limit left more out.
    package var hasMore = false
    /// The revision of the store that was read.
    package var revision: Int64

    package init(values: [EtcdValue], hasMore: Bool = false, revision: Int64) {
        (self.values, self.hasMore, self.revision) = (values, hasMore, revision)
    }
}

/// The result of a transaction.
package struct EtcdOutcome: Equatable, Sendable {
    package var succeeded: Bool
    /// The results of its reads, in their order.
    package var found: [EtcdFound]
    /// The revision of the store afterwards.
    package var revision: Int64
    /// Whether an earlier attempt may have been carried out, whose answer was lost.
    package var isRepeated = false

    package init(succeeded: Bool, found: [EtcdFound], revision: Int64) {
        (self.succeeded, self.found, self.revision) = (succeeded, found, revision)
    }
}

// MARK: - JSON

extension JSONWriter {
    func bytes(_ name: String, _ bytes: [UInt8]) {
        key(name)
        base64(bytes.span)
    }

    func member(_ name: String, _ value: Int64) {
        key(name)
        string(String(value))
    }

    func keys(_ keys: EtcdKeys) {
        bytes("key", keys.first)
        if let end = keys.end { bytes("range_end", end) }
    }

    func condition(_ condition: EtcdCondition) {
        object {
            switch condition {
            case .changed(let name, in: let revision):
                bytes("key", name)
                key("target")
                string("MOD")
                member("mod_revision", revision)
            case .created(let name, in: let revision):
                bytes("key", name)
                key("target")
                string("CREATE")
                member("create_revision", revision)
            case .exists(let name):
                bytes("key", name)
                key("target")
                string("CREATE")
                member("create_revision", 0)
            }
            key("result")
            if case .exists = condition { string("GREATER") } else { string("EQUAL") }
        }
    }

    func operation(_ operation: EtcdOperation) {
        object {
            switch operation {
            case .put(let name, let value, let lease):
                key("request_put")
                object {
                    bytes("key", name)
                    bytes("value", value)
                    if lease != 0 { member("lease", lease) }
                }
            case .read(let names, let limit):
                key("request_range")
                object {
                    keys(names)
                    if limit > 0 { member("limit", Int64(limit)) }
                }
            case .delete(let names):
                key("request_delete_range")
                object { keys(names) }
            }
        }
    }

    func transaction(_ transaction: EtcdTransaction) {
        object {
            key("compare")
            array { for each in transaction.conditions { condition(each) } }
            key("success")
            array { for each in transaction.operations { operation(each) } }
            key("failure")
            array { for each in transaction.otherwise { operation(each) } }
        }
    }
}

extension JSONNode {
    /// A number, which is left out if it is 0.
    func number(_ name: String) -> Int64 { self[name]?.integer ?? 0 }

    /// The bytes of a name, which an answer leaves out if there are none; nil if it is not base64.
    func bytes(_ name: String) -> [UInt8]? {
        guard let text = self[name] else { return [] }
        return text.secret?.base64Decoded?.array
    }

    /// The revision of the store.
    var revision: Int64 { self["header"]?.number("revision") ?? 0 }

    /// The values that a range found.
    func found() throws(EtcdError) -> EtcdFound {
        var values: [EtcdValue] = []
        for node in self["kvs"]?.elements ?? [] { values.append(try node.value()) }
        return EtcdFound(values: values, hasMore: self["more"]?.isTrue ?? false, revision: revision)
    }

    func value() throws(EtcdError) -> EtcdValue {
        guard let key = bytes("key"), let value = bytes("value") else {
            throw .unexpectedAnswer("a key or value is not base64")
        }
        return EtcdValue(
            key: key,
            value: value,
            createRevision: number("create_revision"),
            modRevision: number("mod_revision"),
            lease: number("lease")
        )
    }

    func outcome() throws(EtcdError) -> EtcdOutcome {
        var found: [EtcdFound] = []
        for response in self["responses"]?.elements ?? [] {
            if let range = response["response_range"] { found.append(try range.found()) }
        }
        return EtcdOutcome(succeeded: self["succeeded"]?.isTrue ?? false, found: found, revision: revision)
    }
}
