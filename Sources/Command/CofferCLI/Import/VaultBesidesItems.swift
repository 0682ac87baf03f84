internal import Coffer

extension Vault {
    /// What the vault has besides the items that can be read here, in words; no export contains it.
    var contentBesidesItems: [String] {
        get throws {
            let slots = try slots
            let ways = slots.count.counted("way to open the vault", "ways to open the vault")
            var parts = ["\(ways) (\(slots.map(\.kind).protection))"]
            let grantCount = try grantCount
            if grantCount > 0 { parts.append(grantCount.counted("grant")) }
            let deviceCount = try devices.count
            if deviceCount > 0 { parts.append(deviceCount.counted("machine")) }
            let history = try historySettings
            if history != .standard { parts.append("how much history is kept (\(history.summary))") }
            let itemCount = try otherDeviceItemCount
            if itemCount > 0 { parts.append(itemCount.counted("item of other machines", "items of other machines")) }
            if try hasClosedGroups { parts.append("groups that are locked entirely") }
            return parts
        }
    }
}
