// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer

@c @implementation public func coffer_vault_watch(
    _ vault: OpaquePointer?,
    _ watch: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: watch, error) { try WatchHandle(unsafe VaultHandle.opened(vault)) }
}

@c @implementation public func coffer_watch_descriptor(_ watch: OpaquePointer?) -> Int32 {
    unsafe WatchHandle.at(watch)?.descriptor ?? -1
}

@c @implementation public func coffer_watch_next(
    _ watch: OpaquePointer?,
    _ timeout: Int64,
    _ hasChanged: UnsafeMutablePointer<Bool>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe hasChanged?.pointee = false
    return unsafe attempt(error) {
        let changed = try unsafe WatchHandle.required(watch, "watch").next(milliseconds: timeout)
        unsafe hasChanged?.pointee = changed
    }
}

@c @implementation public func coffer_watch_free(_ watch: OpaquePointer?) { unsafe WatchHandle.free(watch) }
