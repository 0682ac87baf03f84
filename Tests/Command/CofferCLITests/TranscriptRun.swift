import Foundation
import TestSupport
import VaultFiles

/// Runs the steps of a transcript on one machine.
final class TranscriptRun {
    /// The reason why a line of a transcript cannot be run.
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    let sample: CommandSample
    /// The next command as prepared by directives.
    var next = CommandSample.Call(words: [])
    /// Files whose writer lock another process holds.
    var lockedFiles: [any OpenFile] = []
    /// The ids for names in angle brackets.
    var ids: [String: String] = [:]

    init() throws {
        sample = try CommandSample()
    }

    /// Runs a step, and returns the lines of its output.
    func play(_ step: Transcript.Step) throws -> [String] {
        guard !step.isDirective else {
            try prepare(step.words.words.map { expanded($0.text) })
            return []
        }
        var call = next
        next = CommandSample.Call(words: [])
        var target: URL?
        var words = step.words.words[...]
        // `printf '…' | coffer …` passes exact bytes.
        if words.first?.text == "printf", let bar = words.firstIndex(of: .init(text: "|")) {
            call.input = TranscriptWords.unescaped(words[words.startIndex + 1].text[...]).unicodeScalars.flatMap {
                $0.value < 256 && !$0.isASCII ? [UInt8($0.value)] : Array(String($0).utf8)
            }
            words = words[(bar + 1)...]
        }
        while let word = words.first, word.isPlain || word.text.contains("="),
            let equals = word.text.firstIndex(of: "="),
            word.text[..<equals].allSatisfy({ $0.isUppercase || $0 == "_" || $0.isNumber })
        {
            call.variables[String(word.text[..<equals])] = expanded(String(word.text[equals...].dropFirst()))
            words = words.dropFirst()
        }
        guard let program = words.popFirst()?.text else { throw Malformed(description: "missing command") }
        call.programName = program
        while let word = words.popFirst() {
            switch (word.isPlain, word.text) {
            case (true, "<<<"): call.input = Array((expanded(words.popFirst()?.text ?? "") + "\n").utf8)
            case (true, "<"): call.input = Array(try Data(contentsOf: url(words.popFirst()?.text ?? "")))
            case (true, ">"):
                let path = words.popFirst()?.text ?? ""
                if path == "/dev/full" { call.outputFailure = .diskFull } else { target = url(path) }
            case (true, "<&-"): call.isInputOpen = false
            case (true, ">&-"): call.outputFailure = .other(9)
            default: call.words.append(expanded(word.text))
            }
        }
        let result = sample.run(call)
        var output = result.output
        if let target {
            try Data(output).write(to: target)
            output = []
        }
        var lines = lines(of: output)
        lines += self.lines(of: Array(result.errors.utf8)).map { "! " + $0 }
        lines += self.lines(of: Array(result.terminal.utf8)).map { "> " + $0 }
        if result.status != 0 { lines.append("? \(result.status)") }
        if let signal = result.signal { lines.append("? signal \(signal)") }
        return lines
    }

    /// Returns the text with `~` and names of ids replaced.
    func expanded(_ text: String) -> String {
        let text = ids.reduce(text) { $0.replacing("<\($1.key)>", with: $1.value) }
        return text.replacing("~/", with: sample.home.path + "/").replacing("file:~", with: "file:" + sample.home.path)
    }

    func url(_ path: String) -> URL {
        let path = expanded(path)
        return path.hasPrefix("/") ? URL(filePath: path) : sample.home.appending(path: path)
    }

    private func lines(of bytes: [UInt8]) -> [String] {
        guard !bytes.isEmpty else { return [] }
        var text = ""
        for scalar in String(validating: bytes, as: UTF8.self)?.unicodeScalars.map({ $0 })
            ?? bytes.map({ Unicode.Scalar($0) })
        {
            let isShown = scalar == "\n" || scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7F
            text += isShown ? String(scalar) : "\\x\(String(scalar.value, radix: 16))"
        }
        text = text.replacing(sample.home.path, with: "~")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() } else { lines[lines.count - 1] += "\\c" }
        return lines
    }

    // MARK: - Directives

    private func prepare(_ words: [String]) throws {
        let rest = Array(words.dropFirst())
        switch words.first {
        // These lines are typed at a terminal; ^C is a signal.
        case "terminal": next.answers = rest
        case "input-is-terminal": next.isInputTerminal = true
        case "output-is-terminal": next.isOutputTerminal = true
        case "columns": next.columnCount = Int(rest[0]) ?? 80
        case "file": try write(rest[0], Array((rest.dropFirst().joined(separator: " ") + "\n").utf8))
        case "lines": try write(rest[0], Array((rest.dropFirst().joined(separator: "\n") + "\n").utf8))
        case "empty-file": try write(rest[0], [])
        case "remove": try FileManager.default.removeItem(at: url(rest[0]))
        // A file of the repository's `Fixtures`.
        case "fixture":
            let source = Repository.root.appending(path: "Fixtures/\(rest[0])")
            try FileManager.default.copyItem(at: source, to: url(rest[1]))
        case "copy": try FileManager.default.copyItem(at: url(rest[0]), to: url(rest[1]))
        case "replace":
            try FileManager.default.removeItem(at: url(rest[1]))
            try FileManager.default.copyItem(at: url(rest[0]), to: url(rest[1]))
        case "directory":
            try FileManager.default.createDirectory(at: url(rest[0]), withIntermediateDirectories: true)
        case "link":
            try FileManager.default.createSymbolicLink(at: url(rest[1]), withDestinationURL: url(rest[0]))
        case "mode":
            let mode = Int(rest[0], radix: 8) ?? 0
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url(rest[1]).path)
        // Another machine has another device key, and other anchors and location files.
        case "machine": sample.stateDirectory = ".local/state-of-\(rest[0])"
        case "wait": sample.time.advance(nanoseconds: (UInt64(rest[0]) ?? 0) * 1_000_000_000)
        // Changes the byte at an offset.
        case "flip": try flip(rest[0], Int(rest[1]) ?? 0)
        // Changes the byte at a distance before the last byte that is not zero.
        case "flip-end":
            let bytes = try Data(contentsOf: url(rest[0]))
            try flip(rest[0], (bytes.lastIndex { $0 != 0 } ?? 0) - (Int(rest[1]) ?? 0))
        // Writes bytes that no crash leaves after the last change.
        case "damage-end": try damageEnd(rest[0])
        // The kernel accepts no keys from the next command.
        case "no-kernel-keyring": sample.keys.fail(.add(.thread), with: ENOSYS)
        // Others do this while the next command waits.
        case "meanwhile":
            let call = CommandSample.Call(words: Array(rest.dropFirst()), input: Array((rest.first ?? "").utf8))
            next.meanwhile.append(call)
        case "signal": next.signal = Int32(rest[0])
        case "signal-at-once": next.firstSignal = Int32(rest[0])
        // The next command cannot open anchors and location files.
        case "unreadable-anchors": next.files = unreadable("/anchors/")
        case "overwrite-anchors":
            let directory = url("~/.local/state/coffer/anchors")
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)
            where !name.hasPrefix("place-") {
                try Data("a letter to Kim\n".utf8).write(to: directory.appending(path: name))
            }
        case "full-disk": next.files = failing(.diskFull)
        case "read-only-disk": next.files = failing(.readOnlyFileSystem)
        case "failing-disk": next.files = failing(.inputOutput)
        default: try prepareVault(words.first ?? "", rest)
        }
    }

    private func write(_ path: String, _ bytes: [UInt8]) throws {
        let url = url(path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url)
    }

    private func flip(_ path: String, _ offset: Int) throws {
        var bytes = try Data(contentsOf: url(path))
        bytes[offset] ^= 0xFF
        try bytes.write(to: url(path))
    }

    private func damageEnd(_ path: String) throws {
        var bytes = try Data(contentsOf: url(path))
        let end = ((bytes.lastIndex { $0 != 0 } ?? 0) / 64 + 1) * 64
        bytes.replaceSubrange(end..<min(end + 1_024, bytes.count), with: Data(repeating: 0xFF, count: 1_024))
        try bytes.write(to: url(path))
    }

    /// Returns the files of the machine, where paths that contain `part` cannot be opened.
    private func unreadable(_ part: String) -> HookedFiles {
        let files = HookedFiles()
        files.setHook { operation, path throws(FileError) in
            guard operation == .open, path.contains(part) else { return }
            throw FileError(operation, path, reason: .permissionDenied)
        }
        return files
    }

    /// Returns the files of the machine, where nothing can be created or written.
    private func failing(_ reason: FileError.Reason) -> HookedFiles {
        let files = HookedFiles()
        files.setHook { operation, path throws(FileError) in
            switch operation {
            case .create, .write, .makeDirectory, .rename: throw FileError(operation, path, reason: reason)
            // Files can be removed from a full disk.
            case .remove where reason != .diskFull: throw FileError(operation, path, reason: reason)
            default: break
            }
        }
        return files
    }
}
