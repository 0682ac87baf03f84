/// Runs `body` and translates the error that it throws.
@inlinable
package func translating<Result: ~Copyable, From: Error, To: Error>(
    _ translate: (From) -> To,
    _ body: () throws(From) -> Result
) throws(To) -> Result {
    do throws(From) {
        return try body()
    } catch {
        throw translate(error)
    }
}

/// Evaluates `value` and translates the error that it throws.
@inlinable
package func translating<Result: ~Copyable, From: Error, To: Error>(
    _ translate: (From) -> To,
    _ value: @autoclosure () throws(From) -> Result
) throws(To) -> Result {
    try translating(translate) { () throws(From) in try value() }
}
