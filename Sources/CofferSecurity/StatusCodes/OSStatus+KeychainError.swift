internal import Coffer

extension OSStatus {
    /// Creates the status code that Apple's keychain uses for an error.
    init(_ error: KeychainError) {
        // No `default`: a new case must choose its status before it compiles.
        self =
            switch error {
            case .invalid, .cannotEncode: errSecParam
            case .noSuchAttribute: errSecNoSuchAttr
            case .noSuchClass: errSecNoSuchClass
            case .unsupportedCondition: errSecUnimplemented
            case .duplicateItem: errSecDuplicateItem
            case .itemNotFound, .noSuchRevision: errSecItemNotFound
            case .locked, .authenticationRequired: errSecInteractionNotAllowed
            case .authenticationFailed: errSecAuthFailed
            case .userCanceled: errSecUserCanceled
            case .notEntitled, .entitlements: errSecMissingEntitlement
            case .noPassphrase, .revisionDiffers: errSecNotAvailable
            case .cannotDecode: errSecDecode
            case .vault(let problem): OSStatus(problem.kind)
            }
    }

    /// Creates the status code that Apple's keychain uses for a problem with its store.
    private init(_ kind: VaultError.Kind) {
        self =
            switch kind {
            case .wrongSecret, .grantExpired: errSecAuthFailed
            case .secretNeeded: errSecInteractionNotAllowed
            case .notARecoveryCode: errSecParam
            case .readOnly: errSecReadOnly
            case .inputOutput: errSecIO
            case .tooLarge: errSecDataTooLarge
            case .damagedItem: errSecDecode
            case .outOfMemory: errSecAllocate
            case .cancelled: errSecUserCanceled
            case .noVault, .damaged, .fileExists, .notAVault, .newerVersion, .deviceKeyNeeded, .secretUnavailable,
                .weakSecret, .diskFull, .busy, .rolledBack, .mustBeReopened, .fileReplaced, .unavailable:
                errSecNotAvailable
            }
    }
}
