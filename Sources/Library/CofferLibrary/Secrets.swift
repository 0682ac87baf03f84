// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer
internal import CofferBasics

/// Secret bytes.
final class SecretHandle: Handle {
    let bytes: StoredBytes

    init(_ bytes: Span<UInt8>) {
        self.bytes = StoredBytes(copying: bytes)
    }

    /// The secret that a callback returned, which is then freed; nil for NULL.
    static func taken(_ pointer: OpaquePointer?) -> Passphrase? {
        defer { unsafe free(pointer) }
        return unsafe at(pointer).map { secret in unsafe secret.bytes.bytes.withSpan { Passphrase($0) } }
    }
}

@c @implementation public func coffer_secret_create(_ bytes: coffer_bytes) -> OpaquePointer? {
    guard let bytes = unsafe try? bytes.checked("bytes") else { return nil }
    return unsafe ForkGate.passing { unsafe bytes.withSpan { SecretHandle($0) }.owned }
}

@c @implementation public func coffer_secret_bytes(_ secret: OpaquePointer?) -> coffer_bytes {
    unsafe SecretHandle.at(secret)?.bytes.bytes ?? coffer_bytes()
}

@c @implementation public func coffer_secret_free(_ secret: OpaquePointer?) { unsafe SecretHandle.free(secret) }
