internal import CofferBasics

extension Keyring {
    /// Whether the items of a data key can be read here.
    package enum Presence: Equatable, Sendable {
        case readable
        /// The items exist, but the key that opens them is not available.
        case locked
        /// The items belong to another device.
        case otherDevice
        /// The key was destroyed.
        case destroyed
    }

    /// Whether the items of the data key `handle` can be read here.
    package func presence(of handle: KeyHandle) -> Presence {
        guard let entry = dataKeyEntries[handle] else { return .destroyed }
        guard isPresent(entry.owner) else { return .otherDevice }
        return dataKeys[handle] == nil ? .locked : .readable
    }

    /// Whether items of `owner` are present here: those of a device at hand, or of no device.
    func isPresent(_ owner: DeviceID) -> Bool {
        owner == .none || roots.devices[owner] != nil || roots.held?.devices.contains(owner) == true
            || grantedDevices.contains(owner)
    }
}
