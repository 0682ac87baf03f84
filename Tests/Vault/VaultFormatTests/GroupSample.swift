import CofferBasics
import TestSupport
import VaultCrypto
import VaultFormat

/// A group with one data key, and the keybag entries of both.
struct GroupSample {
    let group: GroupEpoch
    let matchKey: Key
    let handle: KeyHandle
    let dataKey: Key
    let classKey: Key
    let groupEntries: [KeybagEntry]
    let dataEntry: KeybagEntry

    var entries: [KeybagEntry] { groupEntries + [dataEntry] }

    init(
        _ protection: ProtectionClass,
        owner: DeviceID? = nil,
        name: String = "group",
        maker: KeyMaker,
        sample: KeySample
    ) throws {
        let owner = protection.isBoundToDevice ? owner ?? sample.device : .none
        let (group, matchKey, groupEntries) = try maker.group(named: Array(name.utf8))
        let (handle, dataKey, dataEntry) = try maker.dataKey(group, protection, owner: owner)
        self.group = group
        self.matchKey = matchKey
        self.handle = handle
        self.dataKey = dataKey
        classKey = try maker.classKey(protection, owner: owner)
        self.groupEntries = groupEntries
        self.dataEntry = dataEntry
    }
}
