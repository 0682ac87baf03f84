/// A source of answers to requests: an item, or the two that make up an identity.
protocol AnswerSource {
    var itemClass: KeychainClass { get }
    /// The data, if the item has any and it was read.
    var data: [UInt8]? { get }
    /// Other data that a dictionary contains next to the data, by name.
    var accompanyingData: [String: [UInt8]] { get }
    var persistentReference: [UInt8] { get }
    /// The contents for an object, if it is a certificate, a key or an identity.
    var reference: ItemReference? { get }
}

extension AnswerSource {
    var accompanyingData: [String: [UInt8]] { [:] }

    /// The answer about one item, or nil if the item does not have the one thing that was asked for.
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
        // A request for data and persistent reference returns the attributes too, as in Apple's keychain.
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
