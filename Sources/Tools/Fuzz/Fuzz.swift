import Foundation

/// The readers of hostile input, each with a law that no input may break.
///
/// With libFuzzer this is a fuzzer of the target that `COFFER_FUZZ_TARGET` names; see `./dev fuzz`. Otherwise it is a
/// program that runs a target on the files of a directory, so that it is built and tried as often as the tests.
enum Fuzz: String {
    case archive
    case keyfile
    case passwordfile
    case plist
    case vault
    case vaultInside = "vault-inside"
    case x509
    case xml

    /// Reads the input, and stops the process if that breaks the law.
    func check(_ input: [UInt8]) {
        switch self {
        case .archive: Self.archive(input)
        case .keyfile: Self.keyFile(input)
        case .passwordfile: Self.passwordFile(input)
        case .plist: Self.propertyList(input)
        case .vault, .vaultInside: Self.vault(input)
        case .x509: Self.certificate(input)
        case .xml: Self.xmlPropertyList(input)
        }
    }
}

#if FUZZING
    private let target: Fuzz = {
        guard let name = getenv("COFFER_FUZZ_TARGET"), let target = Fuzz(rawValue: String(cString: name)) else {
            preconditionFailure("COFFER_FUZZ_TARGET names no target")
        }
        return target
    }()

    /// What libFuzzer calls with each input.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        target.check(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#else
    @main extension Fuzz {
        /// Runs a target on each file of a directory, or on every so many of them.
        static func main() throws {
            let words = CommandLine.arguments
            guard words.count == 4, let target = Fuzz(rawValue: words[1]), let step = Int(words[3]), step > 0 else {
                preconditionFailure("usage: Fuzz TARGET DIRECTORY STEP")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: words[2]).sorted()
            let chosen = stride(from: 0, to: names.count, by: step).map { names[$0] }
            for name in chosen { target.check([UInt8](try Data(contentsOf: URL(filePath: "\(words[2])/\(name)")))) }
            print("\(words[1]): \(chosen.count) inputs")
        }
    }
#endif
