internal import CofferBasics
package import VaultCrypto

/// Section 12.1: the file in which a machine keeps its device key.
package struct DeviceKeyFile: Sendable {
    private static var title: String { "coffer device key 1" }
    private static var deviceName: String { "device" }
    private static var keyName: String { "key" }

    /// The greatest size of such a file.
    package static var byteCountLimit: Int { HexLines.byteCountLimit }

    package let device: DeviceID
    package let key: Key

    package init(device: DeviceID, key: Key) {
        self.device = device
        self.key = key
    }

    /// Reads the bytes of a file, which the caller wipes.
    package init(parsing text: Span<UInt8>) throws(KeyFileError) {
        var lines = try HexLineReader(title: Self.title, of: text)
        device = try lines.readIdentifier(Self.deviceName, from: text)
        key = try lines.readKey(Self.keyName, from: text)
        try lines.readCheck(of: text)
    }

    /// Calls `body` with the bytes of the file, and wipes them afterwards.
    package func withText<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try HexLines.withText(
            title: Self.title,
            lines: { text in
                text.appendLine(Self.deviceName, device.bytes.span)
                text.appendLine(Self.keyName, key)
            },
            body
        )
    }
}
