import VaultCrypto
import VaultFormat

/// A structure that fuzzing can vary freely, without the sizes and offsets that a whole vault fixes.
///
/// The first byte of an input is the number; `PartSeeds` of the fixture tool uses the same numbers.
enum Part: UInt8 {
    case keybag = 1
    case records
    case directory
    case run
    case deflatedMetadata
    case metadata
    case match
    case secret
    case settings
    case grant
    case anchorFile
    case deviceKeyFile
    case credentialFile
    case recoveryCode
    case fence
    case leaf

    /// Reads `bytes` as this structure; a failure is a valid answer.
    func check(_ bytes: [UInt8], random: any RandomSource) throws(CipherError) {
        let law = try PartInvariant(bytes: bytes, random: random)
        switch self {
        case .keybag: try? law.keybag()
        case .records: try? law.records()
        case .directory: _ = try? law.directory()
        case .run: try? law.run()
        case .deflatedMetadata: try? law.deflatedMetadata()
        case .metadata: try? law.metadata()
        case .match: try? law.match()
        case .secret: try? law.secret()
        case .settings: try? law.settings()
        case .grant: try? law.grant()
        case .anchorFile: law.anchorFile()
        case .deviceKeyFile: try? law.deviceKeyFile()
        case .credentialFile: try? law.credentialFile()
        case .recoveryCode: try? law.recoveryCode()
        case .fence: try? law.fence()
        case .leaf: try? law.leaf()
        }
    }
}
