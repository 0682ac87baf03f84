internal import CofferBasics
package import VaultCrypto

/// Why a file of section 12 is not accepted; such a file must never be replaced.
///
/// Restore the file from a backup, or do without it; only after ``cipher(_:)`` the same file may be accepted.
package enum KeyFileError: Error, Equatable, Sendable {
    /// The file is larger than the limit.
    case tooLarge(byteCount: Int)
    /// A line, counted from 1, does not have the expected content.
    case malformedLine(Int, KeyFileLine)
    /// The check in the last line does not match the lines before it.
    case wrongCheck(line: Int)
    /// Something follows the last line.
    case trailingBytes(line: Int)
    /// The key could not be held in memory.
    case cipher(CipherError)
}

/// The expected content of a line.
package enum KeyFileLine: Equatable, Sendable {
    /// The kind of the file and its version.
    case title(String)
    /// A name, one space and this many hexadecimal digits.
    case value(name: String, digitCount: Int)
}

extension KeyFileError: CustomStringConvertible {
    /// What is wrong and in which line, in one sentence, without any content of the file.
    package var description: String {
        switch self {
        case .tooLarge(let byteCount):
            "file too large: \(byteCount.grouped) bytes (limit \(HexLines.byteCountLimit.grouped))"
        case .malformedLine(let line, let expected): "line \(line) is invalid: expected \(expected)"
        case .wrongCheck(let line): "line \(line) is invalid: the check does not match the lines before it"
        case .trailingBytes(let line): "line \(line) is invalid: the file should end before it"
        case .cipher(let error): "the key could not be held in memory: \(error)"
        }
    }
}

extension KeyFileLine: CustomStringConvertible {
    /// What the line must contain.
    package var description: String {
        switch self {
        case .title(let title): "“\(title)”"
        case .value(let name, let digitCount): "“\(name)”, one space and \(digitCount) lowercase hexadecimal digits"
        }
    }
}
