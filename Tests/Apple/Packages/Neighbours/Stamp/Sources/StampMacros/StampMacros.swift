import Foundation

#if canImport(Security)
    private let sees = "Security"
#else
    private let sees = "no Security"
#endif

/// Answers the compiler's questions: messages in JSON, each after its length in eight bytes.
///
/// The library that packages use for this is not needed for one constant.
@main enum StampMacros {
    static func main() throws {
        while let length = read(8) {
            let count = length.reversed().reduce(0) { $0 << 8 | Int($1) }
            // An empty message is the last one.
            guard count > 0, let message = read(count) else { return }
            let question = try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
            let answer: [String: Any] =
                if question["getCapability"] != nil {
                    ["getCapabilityResult": ["capability": ["protocolVersion": 7]]]
                } else {
                    ["expandMacroResult": ["expandedSource": "\"the macro sees \(sees)\"", "diagnostics": [Any]()]]
                }
            let bytes = try JSONSerialization.data(withJSONObject: answer)
            let answerLength = (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
            try FileHandle.standardOutput.write(contentsOf: Data(answerLength) + bytes)
        }
    }

    /// Reads this many bytes; nil at the end.
    private static func read(_ count: Int) -> Data? {
        var bytes = Data()
        while bytes.count < count {
            let part = FileHandle.standardInput.readData(ofLength: count - bytes.count)
            guard !part.isEmpty else { return nil }
            bytes += part
        }
        return bytes
    }
}
