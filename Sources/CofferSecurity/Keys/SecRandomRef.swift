/// A source of random bytes: there is one, so none has to be named.
public typealias SecRandomRef = OpaquePointer

/// The one source of random bytes.
@safe public nonisolated(unsafe) let kSecRandomDefault: SecRandomRef? = nil
