internal import VaultFormat

// What an addition means to a program with these groups, as far as it can be said without the vault.
extension AccessGroups {
    /// What a request adds, in seconds since 2001 began.
    func addition(_ request: ItemRequest, at now: Double) throws(KeychainError) -> Addition {
        try request.checkForm(for: .add)
        try checkAny(for: .add)
        let parsed = try ParsedRequest(request, for: .add)
        try Self.checkAddition(parsed)
        let named = try named(parsed.group, for: .add)
        let group = if let named { named } else { try defaultName(for: .add) }
        let accessibility =
            parsed.accessibility ?? parsed.accessControl?.accessibility
            ?? Self.defaultAccessibility(parsed.itemClass, group)
        return Addition(
            parsed: parsed,
            attributes: try newAttributes(parsed, at: now),
            group: group,
            accessibility: accessibility
        )
    }

    private static func checkAddition(_ parsed: ParsedRequest) throws(KeychainError) {
        if let key = parsed.matches.keys.first { throw .invalid(.keyNotAllowedHere(key)) }
        if parsed.hasLimit { throw .invalid(.keyNotAllowedHere("m_Limit")) }
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        // Identities come as references, which are taken apart before.
        if parsed.itemClass == .identity { throw .invalid(.value(of: "class")) }
    }

    private static func defaultAccessibility(_ itemClass: KeychainClass, _ group: String) -> Accessibility {
        if group.isText("com.apple.apsd") { return .alwaysThisDeviceOnly }
        return itemClass == .certificate ? .always : .whenUnlocked
    }

    private func newAttributes(_ parsed: ParsedRequest, at now: Double) throws(KeychainError) -> ItemAttributes {
        var values = parsed.attributes
        if case .value(let value) = parsed.synchronizability { values["sync"] = value }
        let now = ItemValue.date(secondsSinceReferenceDate: now)
        values["cdat"] = now
        values["mdat"] = now
        if let accessControl = parsed.accessControl, accessControl.conditions != nil {
            values["accc"] = .accessControl(accessControl)
        }
        return try ItemAttributes(parsed.itemClass.stored[0], values)
    }
}
