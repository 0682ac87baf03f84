// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer

/// Why a function failed.
final class FailureHandle: Handle {
    let status: coffer_status
    let appleStatus: Int32
    let message: StoredBytes

    init(_ error: any Error) {
        let description: String
        switch error {
        case let error as KeychainError:
            (status, appleStatus, description) = (coffer_status(error), error.appleStatus, error.description)
        case let error as VaultError:
            let error = KeychainError.vault(error)
            (status, appleStatus, description) = (coffer_status(error), error.appleStatus, error.description)
        case let error as InvalidArgument:
            (status, appleStatus) = (COFFER_INVALID, KeychainError.invalid(.keyNotText).appleStatus)
            description = error.description
        case is Cancelled:
            (status, appleStatus) = (COFFER_CANCELLED, KeychainError.userCanceled.appleStatus)
            description = "a callback of the program cancelled"
        default:
            (status, appleStatus) = (COFFER_UNAVAILABLE, KeychainError.noPassphrase.appleStatus)
            description = "\(error)"
        }
        message = StoredBytes(description.utf8)
    }
}

extension coffer_status {
    init(_ error: KeychainError) {
        // No `default`: a new case must choose its status before it compiles.
        self =
            switch error {
            case .invalid, .noSuchAttribute, .noSuchClass, .unsupportedCondition, .cannotEncode, .cannotDecode:
                COFFER_INVALID
            case .duplicateItem, .unresolvedConflict: COFFER_DUPLICATE
            case .itemNotFound, .noSuchRevision, .ambiguousReference: COFFER_NOT_FOUND
            case .locked: COFFER_LOCKED
            case .authenticationRequired: COFFER_AUTHENTICATION_REQUIRED
            case .authenticationFailed: COFFER_AUTHENTICATION_FAILED
            case .userCanceled: COFFER_CANCELLED
            case .notEntitled, .entitlements: COFFER_NOT_ENTITLED
            case .noPassphrase: COFFER_NO_PASSPHRASE
            case .revisionDiffers: COFFER_CHANGED
            case .vault(let problem): coffer_status(problem.kind)
            }
    }

    private init(_ kind: VaultError.Kind) {
        self =
            switch kind {
            case .noVault: COFFER_NO_VAULT
            case .fileExists: COFFER_FILE_EXISTS
            case .notAVault: COFFER_NOT_A_VAULT
            case .newerVersion: COFFER_NEWER_VERSION
            case .wrongSecret: COFFER_WRONG_SECRET
            case .grantExpired: COFFER_GRANT_EXPIRED
            case .secretNeeded: COFFER_SECRET_NEEDED
            case .deviceKeyNeeded: COFFER_DEVICE_KEY_NEEDED
            case .secretUnavailable: COFFER_SECRET_UNAVAILABLE
            case .weakSecret: COFFER_WEAK_SECRET
            case .notARecoveryCode: COFFER_NOT_A_RECOVERY_CODE
            case .readOnly: COFFER_READ_ONLY
            case .diskFull: COFFER_DISK_FULL
            case .inputOutput: COFFER_INPUT_OUTPUT
            case .busy: COFFER_BUSY
            case .rolledBack: COFFER_ROLLED_BACK
            case .mustBeReopened: COFFER_MUST_BE_REOPENED
            case .fileReplaced: COFFER_FILE_REPLACED
            case .tooLarge: COFFER_TOO_LARGE
            case .damaged: COFFER_DAMAGED
            case .damagedItem: COFFER_DAMAGED_ITEM
            case .outOfMemory: COFFER_OUT_OF_MEMORY
            case .cancelled: COFFER_CANCELLED
            case .unavailable: COFFER_UNAVAILABLE
            }
    }
}

@c @implementation public func coffer_error_status(_ error: OpaquePointer?) -> coffer_status {
    unsafe FailureHandle.at(error)?.status ?? COFFER_OK
}

@c @implementation public func coffer_error_apple_status(_ error: OpaquePointer?) -> Int32 {
    unsafe FailureHandle.at(error)?.appleStatus ?? 0
}

@c @implementation public func coffer_error_message(_ error: OpaquePointer?) -> coffer_bytes {
    unsafe FailureHandle.at(error)?.message.bytes ?? coffer_bytes()
}

@c @implementation public func coffer_error_free(_ error: OpaquePointer?) { unsafe FailureHandle.free(error) }
