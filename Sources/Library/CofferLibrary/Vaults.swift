// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer
internal import CofferBasics
internal import Glibc

/// An open vault.
final class VaultHandle: Handle {
    let vault: Vault

    init(_ vault: Vault) {
        self.vault = vault
    }

    /// The vault behind a pointer, which must not be NULL, for a caller that may use it now.
    static func opened(_ pointer: OpaquePointer?, _ name: String = "vault") throws(InvalidArgument) -> Vault {
        try Callback.checkNone()
        return unsafe try required(pointer, name).vault
    }
}

extension VaultHandle {
    /// Does work on the vault that reports its progress.
    static func perform<Report>(
        _ work: VaultWork<Report>,
        _ progress: coffer_progress?,
        _ context: UnsafeMutableRawPointer?
    ) throws(VaultError) -> Report {
        try work.perform { done in
            Callback.run {
                unsafe progress?(context, Int64(done.byteCount), Int64(done.expectedByteCount)) ?? true
            }
        }
    }
}

/// The address of the version as a string of C, which is never freed.
private let version = UInt(bitPattern: unsafe strdup(Version.text))

@c @implementation public func coffer_version() -> UnsafePointer<CChar>? { unsafe UnsafePointer(bitPattern: version) }

@c @implementation public func coffer_vault_open(
    _ path: coffer_bytes,
    _ options: OpaquePointer?,
    _ vault: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: vault, error) {
        let state = unsafe OptionsHandle.state(options)
        return VaultHandle(try .open(at: unsafe path.path("path"), with: state.ladder, options: state.options))
    }
}

@c @implementation public func coffer_vault_create(
    _ path: coffer_bytes,
    _ options: OpaquePointer?,
    _ vault: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: vault, error) {
        let state = unsafe OptionsHandle.state(options)
        let path = unsafe try path.path("path")
        return VaultHandle(try .create(at: path, protection: state.protection, options: state.options))
    }
}

@c @implementation public func coffer_vault_open_copy(
    _ path: coffer_bytes,
    _ options: OpaquePointer?,
    _ vault: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: vault, error) {
        let state = unsafe OptionsHandle.state(options)
        return VaultHandle(try .openCopy(at: unsafe path.path("path"), with: state.ladder, options: state.options))
    }
}

@c @implementation public func coffer_vault_delete(
    _ path: coffer_bytes,
    _ options: OpaquePointer?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        try Vault.delete(at: unsafe path.path("path"), options: unsafe OptionsHandle.state(options).options)
    }
}

@c @implementation public func coffer_vault_free(_ vault: OpaquePointer?) { unsafe VaultHandle.free(vault) }

@c @implementation public func coffer_vault_is_unlocked(_ vault: OpaquePointer?) -> Bool {
    ForkGate.passing { unsafe (try? VaultHandle.opened(vault))?.isUnlocked ?? false }
}

@c @implementation public func coffer_vault_lock(_ vault: OpaquePointer?) {
    ForkGate.passing { unsafe (try? VaultHandle.opened(vault))?.lock() }
}

@c @implementation public func coffer_vault_unlock(
    _ vault: OpaquePointer?,
    _ options: OpaquePointer?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        unsafe try VaultHandle.opened(vault).unlock(with: OptionsHandle.state(options).ladder)
    }
}

@c @implementation public func coffer_vault_keep_unlocked(
    _ vault: OpaquePointer?,
    _ seconds: Int64,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        guard seconds > 0 else { throw InvalidArgument("`seconds` is not positive") }
        try unsafe VaultHandle.opened(vault).keepUnlocked(for: .seconds(seconds))
    }
}

@c @implementation public func coffer_vault_stop_keeping_unlocked(
    _ vault: OpaquePointer?,
    _ hadKeys: UnsafeMutablePointer<Bool>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe hadKeys?.pointee = false
    return unsafe attempt(error) {
        let had = try unsafe VaultHandle.opened(vault).stopKeepingUnlocked()
        unsafe hadKeys?.pointee = had
    }
}

// MARK: - Keys

@c @implementation public func coffer_vault_add_secrets(
    _ vault: OpaquePointer?,
    _ options: OpaquePointer?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        unsafe try VaultHandle.opened(vault).add(OptionsHandle.state(options).protection)
    }
}

@c @implementation public func coffer_vault_add_this_machine(
    _ vault: OpaquePointer?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) { try unsafe VaultHandle.opened(vault).addThisMachine() }
}

@c @implementation public func coffer_vault_change_keys(
    _ vault: OpaquePointer?,
    _ options: OpaquePointer?,
    _ changes: UnsafePointer<coffer_key_change_option>?,
    _ changeCount: Int,
    _ progress: coffer_progress?,
    _ context: UnsafeMutableRawPointer?,
    _ facts: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: facts, isNeeded: false, error) {
        let vault = unsafe try VaultHandle.opened(vault)
        var change = KeyChangeOptions()
        guard changeCount >= 0, unsafe changes != nil || changeCount == 0 else {
            throw InvalidArgument("`changes` is NULL")
        }
        for index in 0..<changeCount {
            if let option = unsafe changes?[index] { try unsafe change.add(option.change, option.id.text("id")) }
        }
        let work = vault.keyChange(to: unsafe OptionsHandle.state(options).protection, options: change)
        return FactsHandle(try unsafe VaultHandle.perform(work, progress, context))
    }
}

extension KeyChangeOptions {
    fileprivate mutating func add(_ change: coffer_key_change, _ id: String) throws(InvalidArgument) {
        switch change {
        case COFFER_KEYS_REMOVE_DEVICE: removedDevices.insert(id)
        case COFFER_KEYS_REMOVE_RECIPIENT: removedRecipients.insert(id)
        case COFFER_KEYS_ACCEPT_LOSS: acceptedLosses.insert(id)
        default: throw InvalidArgument("there is no change \(change.rawValue)")
        }
    }
}
