// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer
internal import CofferBasics

/// Conditions that items must meet.
final class QueryHandle: Handle {
    let itemClass: KeychainClass
    private let values = Guarded<[(name: String, value: ItemValue)]>([])

    init(_ itemClass: KeychainClass) {
        self.itemClass = itemClass
    }

    func add(_ name: String, _ value: ItemValue) { values.withLock { $0.append((name, value)) } }

    func conditions<Item: KeychainItem>(_ type: Item.Type) -> [ItemCondition<Item>] {
        values.withLock { values in values.map { .attribute($0.name, $0.value) } }
    }
}

@c @implementation public func coffer_query_create(_ itemClass: coffer_class) -> OpaquePointer? {
    unsafe ForkGate.passing { unsafe KeychainClass(itemClass).map { unsafe QueryHandle($0).owned } }
}

@c @implementation public func coffer_query_set(
    _ query: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ value: coffer_value,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        let query = unsafe try QueryHandle.required(query, "query")
        guard let value = unsafe try value.itemValue() else { throw InvalidArgument("a condition needs a value") }
        query.add(unsafe try CofferLibrary.name(name), value)
    }
}

@c @implementation public func coffer_query_free(_ query: OpaquePointer?) { unsafe QueryHandle.free(query) }
