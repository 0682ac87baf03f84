import Foundation
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat

// Directives for vaults and what opens them.
extension TranscriptRun {
    func prepareVault(_ directive: String, _ words: [String]) throws {
        switch directive {
        // Standard error is a terminal.
        case "errors-are-terminal": next.areErrorsTerminal = true
        // A signal arrives while the next command runs.
        case "signal": next.signal = Int32(words[0])
        // The system refuses all calls of the kernel keyring.
        case "no-keyring":
            sample.keys.fail(.search, with: 38, count: .max)
            sample.keys.fail(.add(.thread), with: 38, count: .max)
        // A name stands for the id on a line that `coffer key list` prints.
        case "id": try noteID(words)
        // Another process holds the writer lock until the end of the transcript.
        case "lock":
            let (directory, name) = try LinuxFileSystem().locate(url(words[0]).path)
            let file = try directory.open(name, for: .writing)
            guard try file.tryLock() else { throw Malformed(description: "\(words[0]) is already locked") }
            lockedFiles.append(file)
        // The change after the last whole one was interrupted.
        case "tear-end": try tearEnd(words[0])
        // Changes the last byte of the content: of the last change, or of the snapshot if there is no change.
        case "damage-last": try damage(words[0]) { $0.lastIndex { $0 != 0 } }
        // Changes a byte of the first change.
        case "damage-change":
            try damage(words[1]) { Array($0.ranges(of: Data("COFX".utf8)))[(Int(words[0]) ?? 1) - 1].lowerBound + 200 }
        case "damage-header": try damage(words[0]) { _ in 40 }
        case "damage-keys": try damage(words[0]) { _ in 600 }
        // Changes a byte of the directory.
        case "damage-directory":
            let prelude = try VaultPrelude(of: MemorySource([UInt8](Data(contentsOf: url(words[0])))))
            try damage(words[0]) { _ in prelude.header.directoryRange.lowerBound + 30 }
        default: throw Malformed(description: "unknown directive \(directive)")
        }
    }

    private func noteID(_ words: [String]) throws {
        let result = sample.run(.init(words: ["slot", "list"] + words.dropFirst(2)))
        let lines = result.text.split(separator: "\n")
        guard let number = Int(words[1]), lines.indices.contains(number - 1) else {
            throw Malformed(description: "coffer key list has no line \(words[1]): \(result.errors)")
        }
        ids[words[0]] = String(lines[number - 1].split(separator: "\t")[1])
    }

    private func damage(_ path: String, _ place: (Data) -> Int?) throws {
        var bytes = try Data(contentsOf: url(path))
        guard let offset = place(bytes), offset < bytes.count else {
            throw Malformed(description: "\(path) has no byte to damage there")
        }
        bytes[offset] ^= 1
        try bytes.write(to: url(path))
    }

    private func tearEnd(_ path: String) throws {
        var bytes = try Data(contentsOf: url(path))
        let end = ((bytes.lastIndex { $0 != 0 } ?? 0) / 64 + 1) * 64
        bytes = bytes.prefix(end) + Data(repeating: 0, count: 1024) + Data(repeating: 0xAA, count: 64)
        try bytes.write(to: url(path))
    }
}
