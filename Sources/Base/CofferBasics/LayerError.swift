/// The type of error that the calls of a layer throw.
///
/// Inside the module errors flow as they are; each call from outside converts them once, on their way out.
package protocol LayerError: Error {
    /// Creates the error that callers of the layer get for any error inside.
    init(_ error: any Error)
}

extension LayerError {
    /// Returns the result of `body`, or throws its error as one of this type.
    package static func converting<Result: ~Copyable>(_ body: () throws -> Result) throws(Self) -> Result {
        do {
            return try body()
        } catch {
            throw Self(error)
        }
    }
}
