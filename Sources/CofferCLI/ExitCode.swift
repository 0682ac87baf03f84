/// What the command tells who runs it: `Spec/command.md`, section 3.
package enum ExitCode: UInt8, CaseIterable, Sendable {
    case success = 0
    case failure = 1
    case usage = 2

    // The low eight bits of a status of Apple's, as macOS `security` ends with.
    case missingEntitlement = 30
    case locked = 36
    case noSuchClass = 38
    case noSuchAttribute = 41
    case notFound = 44
    case duplicate = 45
    case wrongSecret = 51
    case unavailable = 53
    case undecodable = 93

    // What Apple has one number for, or none.
    case damaged = 60
    case inconsistent = 61
    case notAVault = 62
    case deviceKeyNeeded = 63
    case busy = 64
    case noVault = 65
    case alreadyExists = 66
    case readOnly = 67
    case diskFull = 68
    case tooLarge = 69
    case ambiguous = 70
    case permissions = 71
    case malformedEntitlements = 72
    case rolledBack = 73
    case inputOutput = 74
    case outOfMemory = 75

    // What shells say of commands that they cannot run.
    case notExecutable = 126
    case commandNotFound = 127

    /// What it means, for people.
    package var meaning: String {
        switch self {
        case .success: "all is done"
        case .failure: "something else went wrong"
        case .usage: "the command line makes no sense"
        case .missingEntitlement: "the entitlements do not allow the group"
        case .locked: "the item is locked, or may be, and nothing unlocks it"
        case .noSuchClass: "there is no such class of items"
        case .noSuchAttribute: "the class has no such attribute"
        case .notFound: "there is no such item"
        case .duplicate: "there is such an item already"
        case .wrongSecret: "the passphrase, key file or recovery code is another one"
        case .unavailable: "the vault, or what opens it, cannot be had"
        case .undecodable: "the data of the item are not what they should be"
        case .damaged: "the vault is damaged"
        case .inconsistent: "changes in the vault contradict each other"
        case .notAVault: "the file is no vault"
        case .deviceKeyNeeded: "the vault opens with the key of another device"
        case .busy: "another program writes, and does not stop"
        case .noVault: "there is no vault"
        case .alreadyExists: "there is a file already"
        case .readOnly: "the vault cannot be written"
        case .diskFull: "the disk is full, or the quota"
        case .tooLarge: "it is larger than a vault takes"
        case .ambiguous: "several items are meant"
        case .permissions: "the permissions do not allow it"
        case .malformedEntitlements: "the entitlements make no sense"
        case .rolledBack: "the vault is older than it was, or another"
        case .inputOutput: "the system reports an error of input or output"
        case .outOfMemory: "there is not enough memory"
        case .notExecutable: "the system does not run the command"
        case .commandNotFound: "there is no such command"
        }
    }
}
