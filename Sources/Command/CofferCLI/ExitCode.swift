/// The exit codes of the command: `Spec/command.md`, section 3.
package enum ExitCode: UInt8, CaseIterable, Sendable {
    case success = 0
    case failure = 1
    case usage = 2

    // The low eight bits of an Apple status code, as macOS `security` exits with.
    case missingEntitlement = 30
    case locked = 36
    case noSuchClass = 38
    case noSuchAttribute = 41
    case notFound = 44
    case duplicate = 45
    case wrongSecret = 51
    case unavailable = 53
    case undecodable = 93

    // Failures for which Apple has a single number or none.
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
    case opensOnlyHere = 76

    // The codes that shells use for commands they cannot run.
    case notExecutable = 126
    case commandNotFound = 127

    /// The meaning in a few words.
    package var meaning: String {
        switch self {
        case .success: "success"
        case .failure: "another error occurred"
        case .usage: "the command line is invalid"
        case .missingEntitlement: "the entitlements do not allow the group"
        case .locked: "the item is or may be locked, and nothing available unlocks it"
        case .noSuchClass: "there is no such item class"
        case .noSuchAttribute: "the class has no such attribute"
        case .notFound: "the item was not found"
        case .duplicate: "the item already exists"
        case .wrongSecret: "the passphrase, key file or recovery code is wrong"
        case .unavailable: "the vault, or what opens it, is unavailable"
        case .undecodable: "the data of the item is invalid"
        case .damaged: "the vault is damaged"
        case .inconsistent: "changes in the vault contradict each other"
        case .notAVault: "the file is not a vault"
        case .deviceKeyNeeded: "the vault needs the device key of another machine"
        case .busy: "timed out waiting for another program to finish writing"
        case .noVault: "the vault was not found"
        case .alreadyExists: "the file already exists"
        case .readOnly: "the vault cannot be written"
        case .diskFull: "the disk is full or the quota is exceeded"
        case .tooLarge: "a value is too large"
        case .ambiguous: "the name or id is ambiguous"
        case .permissions: "permission denied"
        case .malformedEntitlements: "the entitlements are invalid"
        case .rolledBack: "the vault is older than last seen here, or has another history"
        case .inputOutput: "input/output error"
        case .outOfMemory: "out of memory"
        case .opensOnlyHere: "the copy opens only on this machine"
        case .notExecutable: "the command cannot be executed"
        case .commandNotFound: "the command was not found"
        }
    }
}
