extension KeychainError {
    /// The status code that Apple's keychain has for the error, or the nearest one; see `Spec/status-codes.tsv`.
    package var appleStatus: Int32 {
        // No `default`: a new case must choose its status before it compiles.
        switch self {
        case .invalid, .cannotEncode: -50
        case .noSuchAttribute: -25303
        case .noSuchClass: -25306
        case .unsupportedCondition: -4
        case .duplicateItem: -25299
        case .itemNotFound, .noSuchRevision, .ambiguousReference: -25300
        case .locked, .authenticationRequired: -25308
        case .authenticationFailed: -25293
        case .userCanceled: -128
        case .notEntitled, .entitlements: -34018
        case .noPassphrase, .revisionDiffers: -25291
        case .cannotDecode: -26275
        case .vault(let problem): problem.kind.appleStatus
        }
    }
}

extension VaultError.Kind {
    fileprivate var appleStatus: Int32 {
        switch self {
        case .wrongSecret, .grantExpired: -25293
        case .secretNeeded: -25308
        case .notARecoveryCode: -50
        case .readOnly: -25292
        case .inputOutput: -36
        case .tooLarge: -25302
        case .damagedItem: -26275
        case .outOfMemory: -108
        case .cancelled: -128
        case .noVault, .damaged, .fileExists, .notAVault, .newerVersion, .deviceKeyNeeded, .secretUnavailable,
            .weakSecret, .diskFull, .busy, .rolledBack, .mustBeReopened, .fileReplaced, .unavailable:
            -25291
        }
    }
}
