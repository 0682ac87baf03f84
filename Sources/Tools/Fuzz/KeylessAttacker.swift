import CofferBasics
import Glibc
import VaultCrypto
import VaultFormat

/// Has no key, and offers a file to a reader that has the secrets of the vectors.
enum KeylessAttacker {
    private static let passphrase = Array("correct horse".utf8)

    /// The device keys of the vectors, as passed by `./dev fuzz`: an id and a key in hexadecimal on each line.
    private static var deviceKeys: [DeviceID: Key] {
        guard let text = getenv("COFFER_FUZZ_DEVICES") else { return [:] }
        var keys: [DeviceID: Key] = [:]
        for line in String(cString: text).split(separator: "\n") {
            let parts = line.split(separator: " ").map(bytes)
            guard parts.count == 2, parts[0].count == DeviceID.byteCount, parts[1].count == 32 else {
                preconditionFailure("invalid line: expected a device id and a key: \(line)")
            }
            let id = parts[0]
            let key = parts[1]
            keys[DeviceID(id.span)] = try? Key(copying: key.span)
        }
        return keys
    }

    private static func bytes(_ digits: Substring) -> [UInt8] {
        stride(from: 0, to: digits.utf8.count - 1, by: 2).map { offset in
            let start = digits.index(digits.startIndex, offsetBy: offset)
            return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16) ?? 0
        }
    }

    // MARK: - The file

    /// Reads and changes the file as far as possible.
    static func offer(_ file: [UInt8], random: any RandomSource) {
        let source = MemorySource(file)
        checkParts(of: source)
        do throws(VaultFormatError) {
            _ = try VaultInspection(of: source)
            let prelude = try VaultPrelude(of: source)
            requireInvariant(prelude.keybag.encoded == Array(file[prelude.header.keybagRange]), "the keybag changed")
            let passphrase = passphrase
            let roots = try prelude.roots(
                passphrase: passphrase.span,
                deviceKeys: deviceKeys,
                // Fuzzing finds nothing if it uses as much memory and time as a person would wait for.
                limits: Argon2Limits(memoryKiB: 8...64, operations: 1...3, workKiB: 128),
                availableByteCount: nil
            )
            let opening = try VaultOpening(prelude, roots: roots, random: random)
            // The MAC and the signature, which were verified, follow the fields and their hash.
            let header = prelude.header.encoded(key: opening.keys.head, teamSecret: nil)
            requireInvariant(header.prefix(224) == prelude.headerBytes.prefix(224), "the header changed")
            StoreInvariant(roots: roots, random: random).check(file)
        } catch {
            // Every failure is a valid answer.
        }
    }

    /// Checks that the parts that can be told without a key are all bytes of the file, none of them twice.
    private static func checkParts(of source: MemorySource) {
        guard let parts = try? VaultParts(of: source).parts else { return }
        var end = 0
        for part in parts {
            requireInvariant(part.range.lowerBound == end && !part.range.isEmpty, "the parts do not join")
            end = part.range.upperBound
        }
        requireInvariant(end == source.byteCount, "parts are missing")
    }

    /// Returns the file with all hashes that need no key recomputed, or nil if it is too short to have them.
    static func mended(_ file: [UInt8]) -> [UInt8]? {
        guard file.starts(with: Header.magic), file.count >= Header.byteCount else { return nil }
        var file = file
        func mend(_ offset: Int, _ range: Range<Int>) {
            guard range.upperBound <= file.count else { return }
            let hash = Label.file.hash(32, file.span.extracting(range))
            file.replaceSubrange(offset..<offset + 32, with: hash)
        }
        let keybagByteCount = Int(file.span.littleEndian(at: 72, as: UInt32.self))
        let directoryByteCount = Int(file.span.littleEndian(at: 76, as: UInt32.self))
        let keybagEnd = Header.byteCount + keybagByteCount
        mend(128, Header.byteCount..<keybagEnd)
        mend(160, keybagEnd..<keybagEnd + directoryByteCount)
        mend(192, 0..<192)
        return file
    }
}
