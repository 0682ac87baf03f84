/// A source of random bytes; there is only one, and nil stands for it.
public typealias SecRandomRef = OpaquePointer

/// The default source of random bytes.
@safe public nonisolated(unsafe) let kSecRandomDefault: SecRandomRef? = nil
