/// Calls `body` with OpenSSL's library, and throws `reason` if that refuses something.
func withLibcrypto<Result: ~Copyable>(
    _ reason: KeyError,
    _ body: (Libcrypto) throws(LibcryptoError) -> Result
) throws(KeyError) -> Result {
    do throws(LibcryptoError) {
        let library = try Libcrypto.shared.get()
        return try library.withoutErrors { () throws(LibcryptoError) in try body(library) }
    } catch {
        throw KeyError(error, reason)
    }
}
