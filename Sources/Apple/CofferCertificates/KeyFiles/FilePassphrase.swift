internal import CofferBasics

/// The passphrase of a file, in the forms that its algorithms need.
package final class FilePassphrase: Sendable {
    /// UTF-8, followed by a NUL; empty if there is no passphrase.
    let utf8: SecretBuffer
    /// UTF-16, highest byte first, followed by two zeros; empty if there is no passphrase.
    let utf16: SecretBuffer

    /// Takes a passphrase in UTF-8, which may be empty.
    package init(_ bytes: Span<UInt8>) {
        var utf8 = SecretBuffer(byteCount: bytes.count + 1)
        utf8.withMutableSpan { $0.copy(from: bytes) }
        var unitCount = 0
        bytes.forEachUTF16 { _ in unitCount += 1 }
        var utf16 = SecretBuffer(byteCount: 2 * (unitCount + 1))
        utf16.withMutableSpan { utf16 in
            var offset = 0
            bytes.forEachUTF16 { unit in
                utf16[offset] = UInt8(unit >> 8)
                utf16[offset + 1] = UInt8(unit & 0xFF)
                offset += 2
            }
        }
        self.utf8 = utf8
        self.utf16 = utf16
    }

    /// No passphrase, which some programs use for an empty one.
    init() {
        utf8 = SecretBuffer(byteCount: 0)
        utf16 = SecretBuffer(byteCount: 0)
    }

    /// Whether the passphrase is empty.
    var isEmpty: Bool { utf8.byteCount <= 1 }
}

extension Span<UInt8> {
    /// Calls `body` with each unit of this UTF-8 in UTF-16.
    fileprivate func forEachUTF16(_ body: (UInt16) -> Void) {
        unsafe withUnsafeBufferPointer { bytes in
            let units = unsafe bytes.makeIterator()
            _ = unsafe transcode(units, from: UTF8.self, to: UTF16.self, stoppingOnError: false, into: body)
        }
    }
}
