/// What a request can be answered from: an item, or the two that make up an identity.
protocol Describing {
    var itemClass: KeychainClass { get }
    /// The data, if there are any and they were read.
    var data: [UInt8]? { get }
    /// What comes with the data in a dictionary, by name.
    var accompanyingData: [String: [UInt8]] { get }
    var persistentReference: [UInt8] { get }
    /// What certificates, keys and identities are made of.
    var reference: ItemReference? { get }
}

extension Describing {
    var accompanyingData: [String: [UInt8]] { [:] }

    /// The answer about one item, or nil if it has not the one thing that was asked for.
    func answer(
        _ returns: Query.Returns,
        values: @autoclosure () -> [String: ItemValue]
    ) -> ItemAnswer? {
        switch returns {
        case .data: return data.map { .data($0) }
        case .persistentReference: return .data(persistentReference)
        case .reference: return reference.map { .reference($0) }
        default: return .dictionary(dictionary(returns, values: values()))
        }
    }

    private func dictionary(_ returns: Query.Returns, values: [String: ItemValue]) -> ItemDictionary {
        // Data and persistent reference together bring the attributes along, as they do in Apple's keychain.
        var dictionary = ItemDictionary(values: values)
        if returns.contains(.data) {
            if let data { dictionary.values[Query.dataKey] = .data(data) }
            for (name, data) in accompanyingData { dictionary.values[name] = .data(data) }
        }
        if returns.contains(.persistentReference) { dictionary.values["v_PersistentRef"] = .data(persistentReference) }
        if returns.contains(.reference) {
            dictionary.values["class"] = .string(itemClass.rawValue)
            dictionary.reference = reference
        }
        return dictionary
    }
}
