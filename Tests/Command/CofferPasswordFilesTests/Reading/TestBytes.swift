import CofferBasics
import CofferPasswordFiles

extension HeldSecret {
    convenience init(_ text: String) {
        self.init(Array(text.utf8))
    }

    convenience init(_ bytes: [UInt8]) {
        self.init(copying: bytes.span)
    }
}

/// The error that `body` throws; nil if it throws none.
func fileError(_ body: () throws -> Void) -> PasswordFileError? {
    do {
        try body()
        return nil
    } catch {
        return error as? PasswordFileError ?? (error as? TextError).map(PasswordFileError.init)
    }
}

/// The bytes of base64 text, by an independent decoder of one line.
func bytes(base64 text: String) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits: [Int] = []
    for letter in text where letter != "=" {
        let value = letters.firstIndex(of: letter) ?? 0
        bits += (0..<6).map { value >> (5 - $0) & 1 }
    }
    return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
        UInt8(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
    }
}

/// The base64 text of bytes, by an independent encoder.
func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bits = bytes.flatMap { byte in (0..<8).map { Int(byte >> (7 - $0)) & 1 } }
    let text = stride(from: 0, to: bits.count, by: 6).map { start in
        let group = bits[start..<min(start + 6, bits.count)]
        return letters[group.reduce(0) { $0 << 1 | $1 } << (6 - group.count)]
    }
    return String(text) + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
}
