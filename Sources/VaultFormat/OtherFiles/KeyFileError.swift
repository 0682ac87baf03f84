package import VaultCrypto

/// Why a file of section 12 is not read; whoever sees this must not write another in its place.
package enum KeyFileError: Error, Equatable, Sendable {
    /// The file is larger than any of its kind.
    case tooLarge(byteCount: Int)
    /// A line, counted from 1, is not what stands there.
    case malformedLine(Int, KeyFileLine)
    /// The check, in the last line, is not that of the lines before it.
    case wrongCheck(line: Int)
    /// Something follows the line that ends the file.
    case trailingBytes(line: Int)
    /// The suite could not keep the key.
    case cipher(CipherError)
}

/// What stands in a line of a key file.
package enum KeyFileLine: Equatable, Sendable {
    /// The kind of the file and its version.
    case title(String)
    /// A name, one space, and so many digits.
    case value(name: String, digitCount: Int)
}

extension KeyFileError: CustomStringConvertible {
    /// What is wrong and in which line, in one sentence, without anything that the file holds.
    package var description: String {
        switch self {
        case .tooLarge(let byteCount):
            "the file has \(byteCount) bytes, more than the \(HexLines.byteCountLimit) allowed"
        case .malformedLine(let line, let expected): "line \(line) is not \(expected)"
        case .wrongCheck(let line): "line \(line): the check is not that of the lines before it"
        case .trailingBytes(let line): "line \(line) must not exist"
        case .cipher(let error): "the key could not be kept: \(error)"
        }
    }
}

extension KeyFileLine: CustomStringConvertible {
    /// What the line must be.
    package var description: String {
        switch self {
        case .title(let title): "“\(title)”"
        case .value(let name, let digitCount): "“\(name)”, one space and \(digitCount) hexadecimal digits in lower case"
        }
    }
}
