internal import CofferBasics
internal import VaultCrypto
package import VaultFormat

/// The data of an item, in memory that is wiped on release.
package struct Secret: ~Copyable {
    private var buffer: SecretBuffer
    private let content: Range<Int>
    package let form: SecretForm

    init(opening box: Span<UInt8>, of revision: Revision, keys: DataKeys) throws(Fault) {
        try self.init(openingIn: SecretBuffer(copying: box), of: revision, keys: keys)
    }

    /// Opens the box in `buffer` in place.
    init(openingIn buffer: consuming SecretBuffer, of revision: Revision, keys: DataKeys) throws(Fault) {
        (form, content) = try buffer.withMutableSpan { bytes throws(Fault) in
            try SecretBox.open(&bytes, of: revision, keys: keys)
        }
        self.buffer = buffer
    }

    /// Throws unless the data is valid for its form.
    package func check() throws(Fault) {
        try withBytes { bytes throws(Fault) in try SecretContent.check(bytes, form: form) }
    }

    /// The size of the data.
    package var byteCount: Int { content.count }

    /// Lends the data to `body`.
    package func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withSpan { bytes throws(Failure) in try body(bytes.extracting(content)) }
    }
}
