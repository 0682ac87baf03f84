// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer
internal import CofferBasics

/// What opens a vault, and how it is used.
final class OptionsHandle: Handle {
    struct State {
        var ladder = UnlockLadder()
        var protection = VaultProtection()
        var options = VaultOptions()
        var passphraseMemory: Int?
        var passphrasePasses: Int?
    }

    private let guarded = Guarded(State())

    /// The options as they are now; the defaults for NULL.
    static func state(_ pointer: OpaquePointer?) -> State {
        unsafe at(pointer)?.guarded.withLock { $0 } ?? State()
    }

    /// Changes the options, or nothing if `body` throws.
    func change(_ body: (inout State) throws -> Void) throws {
        try guarded.withLock { state in
            var changed = state
            try body(&changed)
            state = changed
        }
    }
}

extension OptionsHandle.State {
    mutating func set(_ option: coffer_option, _ value: coffer_bytes) throws {
        switch option {
        case COFFER_OPTION_PASSPHRASE:
            let passphrase = unsafe try value.checked("value").withSpan { Passphrase($0) }
            ladder.secret = .passphrase(passphrase)
            protection.passphrase = passphrase
        case COFFER_OPTION_PASSPHRASE_FILE: ladder.secret = .passphraseFile(unsafe try value.path("value"))
        case COFFER_OPTION_KEY_FILE:
            let path = unsafe try value.path("value")
            ladder.keyFile = path
            protection.keyFile = path
        case COFFER_OPTION_RECOVERY_CODE:
            let code = try RecoveryCode(unsafe try value.checked("value").withSpan { Passphrase($0) })
            ladder.secret = .recoveryCode(code)
            protection.recoveryCode = code
        case COFFER_OPTION_CREDENTIAL_FILE:
            ladder.secret = .grant(try GrantCredential(readingFrom: unsafe try value.path("value")))
        case COFFER_OPTION_DEVICE_KEY_FILE:
            options.locations.deviceCredential = nil
            options.locations.deviceKey = unsafe value.count == 0 ? nil : try value.path("value")
        case COFFER_OPTION_MEMORY_DIRECTORY:
            options.locations.anchors = unsafe value.count == 0 ? nil : try value.path("value")
        case COFFER_OPTION_VAULT:
            options.locations.vault = unsafe try value.path("value")
            options.locations.isVaultNamed = true
        default: throw InvalidArgument("option \(option.rawValue) is not text")
        }
    }

    mutating func set(_ option: coffer_option, _ number: Int64) throws {
        switch option {
        case COFFER_OPTION_PASSPHRASE_DESCRIPTOR:
            guard let descriptor = Int32(exactly: number), descriptor >= 0 else {
                throw InvalidArgument("\(number) is not a descriptor")
            }
            ladder.secret = .passphraseDescriptor(descriptor)
        case COFFER_OPTION_LOCK_TIMEOUT:
            guard (0...86_400_000).contains(number) else {
                throw InvalidArgument("invalid lock timeout: use 0 to 86400000 ms")
            }
            options.lockTimeout = .milliseconds(number)
        case COFFER_OPTION_PASSPHRASE_MEMORY: passphraseMemory = Int(number)
        case COFFER_OPTION_PASSPHRASE_PASSES: passphrasePasses = Int(number)
        default:
            guard number == 0 || number == 1 else { throw InvalidArgument("a flag is 0 or 1") }
            try set(option, flag: number == 1)
        }
        if passphraseMemory != nil || passphrasePasses != nil {
            options.passphraseCost = try PassphraseCost(
                memoryMiB: passphraseMemory ?? 256,
                passes: passphrasePasses ?? 3
            )
        }
    }

    private mutating func set(_ option: coffer_option, flag: Bool) throws(InvalidArgument) {
        switch option {
        case COFFER_OPTION_READ_ONLY: options.mayWrite = !flag
        case COFFER_OPTION_RUN_COMMANDS: ladder.runsCommands = flag
        case COFFER_OPTION_KERNEL_KEYRING: ladder.usesKernelKeyring = flag
        case COFFER_OPTION_DISCARD_DAMAGED_END: options.discardsDamagedTail = flag
        case COFFER_OPTION_ACCEPT_ROLLBACK: options.acceptsRollback = flag
        case COFFER_OPTION_COMPACT_WHEN_DUE: options.compactsWhenDue = flag
        case COFFER_OPTION_ALLOW_WEAK_SECRETS: protection.allowsWeakSecrets = flag
        case COFFER_OPTION_INCLUDE_THIS_MACHINE: protection.includesThisMachine = flag
        default: throw InvalidArgument("option \(option.rawValue) is not a number or a flag")
        }
    }
}

@c @implementation public func coffer_options_create() -> OpaquePointer? {
    unsafe ForkGate.passing { unsafe OptionsHandle().owned }
}

@c @implementation public func coffer_options_set(
    _ options: OpaquePointer?,
    _ option: coffer_option,
    _ value: coffer_bytes,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        unsafe try OptionsHandle.required(options, "options").change { unsafe try $0.set(option, value) }
    }
}

@c @implementation public func coffer_options_set_number(
    _ options: OpaquePointer?,
    _ option: coffer_option,
    _ value: Int64,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) { unsafe try OptionsHandle.required(options, "options").change { try $0.set(option, value) } }
}

@c @implementation public func coffer_options_set_prompt(
    _ options: OpaquePointer?,
    _ prompt: coffer_prompt?,
    _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    // A number, since a pointer would not be Sendable.
    let context = UInt(bitPattern: context)
    return unsafe attempt(error) {
        var asking: UnlockLadder.Prompt?
        if let prompt = unsafe prompt {
            asking = { path, attempt in
                let path = StoredBytes(path.utf8)
                return unsafe SecretHandle.taken(
                    Callback.run {
                        unsafe prompt(
                            UnsafeMutableRawPointer(bitPattern: context),
                            path.bytes,
                            Int32(clamping: attempt)
                        )
                    }
                )
            }
        }
        unsafe try OptionsHandle.required(options, "options").change { $0.ladder.prompt = asking }
    }
}

@c @implementation public func coffer_options_free(_ options: OpaquePointer?) { unsafe OptionsHandle.free(options) }

@c @implementation public func coffer_recovery_code(
    _ code: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: code, error) { try RecoveryCode().withText { SecretHandle($0) } }
}
