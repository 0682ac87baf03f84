internal import CofferBasics
internal import Coffer

extension Verb {
    static let error = Verb(
        "security error",
        .macOS,
        "Explain status codes",
        operands: [Operand(name: "NUMBER", presence: .needed), Operand(name: "NUMBER", presence: .rest)],
        details: """
            Numbers are decimal, or hexadecimal with the prefix 0x. The codes are those of Apple's keychain, and the exit \
            codes of `coffer`.
            """,
        examples: [Example(call: "coffer security error -25300", purpose: "explain what a program reported")],
        takesNumbers: true
    ) { run in
        var codes: [JSON] = []
        for word in run.arguments.operands {
            let status = try StatusCode(word)
            guard run.isJSON else {
                let exitText = status.exitMeaning.map { "Exit code of coffer: \($0)" }
                let text = status.message ?? exitText ?? StatusCode.unknown
                try run.output.write(line: "Error: \(status.hexadecimal) \(status.number) \(text)")
                continue
            }
            codes.append([
                "status": .integer(Int64(status.number)), "hexadecimal": .string(status.hexadecimal),
                "message": JSON(status.message), "exitCode": JSON(status.exitMeaning),
            ])
        }
        if run.isJSON { try run.output.write(json: .array(codes)) }
    }
}

/// A status code of Apple's keychain.
struct StatusCode: Equatable {
    static let unknown = "Unknown error code"

    let number: Int32

    /// Parses a code, which may also be unsigned, as people copy it from hexadecimal dumps.
    init(_ word: String) throws {
        let isNegative = word.utf8.first == UInt8(ascii: "-")
        let digits = word.dropFirst(isNegative ? 1 : 0)
        let isHexadecimal = digits.lowercased().hasPrefix("0x")
        let magnitude = isHexadecimal ? Int64(digits.dropFirst(2), radix: 16) : Int64(digits)
        // A second sign is invalid.
        let isPlain = digits.dropFirst(isHexadecimal ? 2 : 0).utf8.first.map { $0 != 0x2B && $0 != 0x2D } ?? false
        guard isPlain, let magnitude, let value = Self.number(isNegative ? -magnitude : magnitude) else {
            throw CommandError.usage(
                "invalid status code: \(word.printable)",
                hints: ["use a 32-bit number, such as -25300 or 0xFFFF9D2C"]
            )
        }
        number = value
    }

    private static func number(_ value: Int64) -> Int32? {
        if let number = Int32(exactly: value) { return number }
        return UInt32(exactly: value).map { Int32(bitPattern: $0) }
    }

    /// The code in hexadecimal digits.
    var hexadecimal: String {
        let digits = String(UInt32(bitPattern: number), radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// What the number means as an exit code of `coffer`; nil if no exit code has this number.
    var exitMeaning: String? { UInt8(exactly: number).flatMap(ExitCode.init)?.meaning }

    /// The meaning; nil if the code is unknown.
    var message: String? {
        switch number {
        // The sentences that the verbs print.
        case -25300: MacOSMessage.itemNotFound
        case -25299: MacOSMessage.duplicateItem
        default: StatusMessage.text(for: number)
        }
    }
}
