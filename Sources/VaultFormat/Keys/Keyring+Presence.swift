internal import CofferBasics

extension Keyring {
    /// Whether an item with a given data key can be read here.
    package enum Presence: Equatable, Sendable {
        case readable
        /// The item exists; what opens it is not at hand.
        case locked
        /// The item belongs to a device that is not this one.
        case otherDevice
        /// The key was destroyed.
        case destroyed
    }

    /// Whether an item with the data key `handle` can be read here.
    package func presence(of handle: KeyHandle) -> Presence {
        guard let entry = dataKeyEntries[handle] else { return .destroyed }
        guard isHere(entry.owner) else { return .otherDevice }
        return dataKeys[handle] == nil ? .locked : .readable
    }

    /// Whether items are here that belong to a device, or to none.
    func isHere(_ owner: DeviceID) -> Bool {
        owner == .none || roots.devices[owner] != nil || roots.held?.devices.contains(owner) == true
    }
}
