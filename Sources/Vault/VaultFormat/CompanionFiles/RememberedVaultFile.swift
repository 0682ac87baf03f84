internal import CofferBasics
package import VaultCrypto

/// Section 8 of `opening.md`: what a machine remembers of a vault that its device key alone does not open.
package struct RememberedVaultFile: Equatable, Sendable {
    private static let title = "coffer place 1"
    private static let nameByteCount = 16

    /// The greatest size of such a file.
    package static var byteCountLimit: Int { HexLines.byteCountLimit }

    package let vault: VaultID
    /// The kind of slot that opens the vault; never `deviceUnlock`.
    package let opener: Slot.Kind
    /// The time at which the vault was last seen.
    package let seen: Time

    package init(vault: VaultID, opener: Slot.Kind, seen: Time) {
        self.vault = vault
        self.opener = opener
        self.seen = seen
    }

    /// Reads the bytes of a file.
    package init(parsing text: Span<UInt8>) throws(KeyFileError) {
        var lines = try HexLineReader(title: Self.title, of: text)
        vault = try lines.readIdentifier("vault", from: text)
        let number = try lines.read("opener", byteCount: 1, from: text)
        guard let opener = Slot.Kind(rawValue: UInt16(number[0])), opener != .deviceUnlock else {
            throw .malformedLine(3, .value(name: "opener", digitCount: 2))
        }
        self.opener = opener
        let time = try lines.read("seen", byteCount: 8, from: text)
        seen = Time(microseconds: time.span.littleEndian(at: 0))
        try lines.readCheck(of: text)
    }

    /// The bytes of the file.
    package func text() -> [UInt8] {
        var time: [UInt8] = []
        time.append(littleEndian: seen.microseconds)
        let lines = [
            Self.title, "vault \(vault.bytes.hexDigits)",
            "opener \([UInt8(truncatingIfNeeded: opener.rawValue)].hexDigits)",
            "seen \(time.hexDigits)",
        ]
        var bytes: [UInt8] = []
        for line in lines { bytes += Array("\(line)\n".utf8) }
        let check = HexLines.check(of: bytes.span)
        return bytes + Array("\(HexLines.checkName) \(check.hexDigits)\n".utf8)
    }

    /// The name of the file about the vault at `path`, which must contain no symbolic links.
    package static func name(ofVaultAt path: String) -> String {
        "place-" + Label.place.hash(nameByteCount, Array(path.utf8)).hexDigits
    }
}
