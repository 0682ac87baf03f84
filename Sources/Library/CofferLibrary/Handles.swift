internal import CCoffer
internal import Coffer
internal import CofferBasics

/// An object that C code holds by an opaque pointer.
protocol Handle: AnyObject {}

/// Where a function of the interface puts a handle, if the caller wants it.
typealias HandleResult = UnsafeMutablePointer<OpaquePointer?>

extension Handle {
    /// A pointer for C code, which owns a reference to the object until it frees it.
    var owned: OpaquePointer { unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

    /// A pointer for C code, which stays valid as long as someone else owns the object.
    var lent: OpaquePointer { unsafe OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// The object behind a pointer; nil for NULL.
    static func at(_ pointer: OpaquePointer?) -> Self? {
        unsafe pointer.map { unsafe Unmanaged<Self>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    /// The object behind a pointer, which must not be NULL.
    static func required(_ pointer: OpaquePointer?, _ name: String) throws(InvalidArgument) -> Self {
        guard let object = unsafe at(pointer) else { throw InvalidArgument("`\(name)` is NULL") }
        return object
    }

    /// Ends the ownership of C code.
    static func free(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return }
        ForkGate.passing { unsafe Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).release() }
    }
}

/// A caller broke the rules of the interface.
struct InvalidArgument: Error {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A callback asked to stop.
struct Cancelled: Error {}

/// Code of the program that is called while a vault is in use, which it must not use then: it would wait for itself.
enum Callback {
    @TaskLocal private static var isRunningNow = false

    /// Whether this thread is in such a callback.
    static var isRunning: Bool { isRunningNow }

    /// Runs a callback.
    static func run<Result>(_ body: () -> Result) -> Result { $isRunningNow.withValue(true, operation: body) }

    /// Throws in a callback.
    static func checkNone() throws(InvalidArgument) {
        guard isRunning else { return }
        throw InvalidArgument("a callback must not use a vault, or a keychain other than that of its transaction")
    }
}

/// Runs the body of a function that returns a status.
func attempt(_ error: HandleResult?, _ body: () throws -> Void) -> coffer_status {
    unsafe error?.pointee = nil
    ForkGate.open()
    return ForkGate.passing {
        do {
            try body()
            return COFFER_OK
        } catch let reason {
            let failure = FailureHandle(reason)
            unsafe error?.pointee = failure.owned
            return failure.status
        }
    }
}

/// Runs the body of a function that returns a status, and a handle through a pointer.
///
/// - Parameters:
///   - result: Where the handle is put.
///   - isNeeded: Whether the caller must want it.
///   - error: Where the error is put.
///   - body: Makes the object behind the handle; nil for none.
/// - Returns: The status.
func attempt(
    returning result: HandleResult?,
    isNeeded: Bool = true,
    _ error: HandleResult?,
    _ body: () throws -> (any Handle)?
) -> coffer_status {
    unsafe result?.pointee = nil
    return unsafe attempt(error) {
        guard unsafe result != nil || !isNeeded else { throw InvalidArgument("the pointer for the result is NULL") }
        let object = try body()
        unsafe result?.pointee = object?.owned
    }
}
