import Foundation
import TestSupport
import Testing

/// The bytes in `Spec/vault-example.md` or `Spec/vault-example-2.md`.
///
/// This reads the document as a person would: blocks of bytes with their offsets, and values by section and name. It
/// shares no code with `FixtureTool`, which wrote it.
struct WorkedExample {
    /// Why the document cannot be read.
    enum Failure: Error {
        case unreadableLine(String)
        case gap(expected: Int, found: Int)
        case noValue(String, section: String, block: Int)
    }

    /// The bytes of the file.
    let file: [UInt8]
    /// The files that the document shows, the last of them whole, each with the result that a reader must give.
    let readings: [(file: [UInt8], dump: String)]
    private var values: [String: [[String: [UInt8]]]] = [:]
    private var plaintexts: [String: [[UInt8]]] = [:]

    init(_ name: String = "vault-example") throws {
        let url = Repository.root.appending(path: "Spec/\(name).md")
        let lines = try String(contentsOf: url, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        var file: [UInt8] = []
        // Another file, which begins with the same bytes.
        var other: [UInt8] = []
        var readings: [(file: [UInt8], dump: String)] = []
        var section = ""
        var rest = lines[...]
        while let line = rest.popFirst() {
            if line.hasPrefix("#") {
                // For example "## 5. The frame" and "### 5.1 The boxes".
                section = line.split(separator: " ").dropFirst().first?.trimmingCharacters(in: ["."]) ?? ""
            }
            guard line.hasPrefix("```") else { continue }
            let block = rest.prefix { $0 != "```" }
            rest = rest.dropFirst(block.count + 1)
            switch line {
            case "```file": file += try Self.bytes(block, from: file.count)
            case "```other":
                if other.isEmpty, let start = block.first.flatMap({ Int($0.prefix(6), radix: 16) }) {
                    other += file[..<start]
                }
                other += try Self.bytes(block, from: other.count)
            case "```plaintext": plaintexts[section, default: []].append(try Self.bytes(block, from: 0))
            case "```values": values[section, default: []].append(try Self.values(block))
            case "```json":
                readings.append((other.isEmpty ? file : other, block.map { $0 + "\n" }.joined()))
                other = []
            default: throw Failure.unreadableLine(String(line))
            }
        }
        self.file = file
        self.readings = readings
    }

    /// Returns a value from the values block with the number `block` in `section`.
    func value(_ name: String, in section: String, block: Int = 0) throws -> [UInt8] {
        guard let blocks = values[section], blocks.indices.contains(block), let value = blocks[block][name] else {
            throw Failure.noValue(name, section: section, block: block)
        }
        return value
    }

    /// Returns the plaintext block with the number `block` in `section`.
    func plaintext(in section: String, block: Int = 0) throws -> [UInt8] {
        guard let blocks = plaintexts[section], blocks.indices.contains(block) else {
            throw Failure.noValue("plaintext", section: section, block: block)
        }
        return blocks[block]
    }

    /// Returns the nonce of an item box: the second 8 bytes of a whole nonce, then the revision salt and the revision.
    static func nonceOfItemBox(_ nonce: [UInt8], _ associatedData: [UInt8]) -> [UInt8] {
        Array(nonce[8..<16] + associatedData[56..<64] + associatedData[48..<56])
    }

    /// Parses lines of offset, bytes and meaning; every offset must be where the previous line ended.
    private static func bytes(_ lines: some Sequence<Substring>, from start: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for line in lines {
            // Offset, two spaces, the bytes or a number of zeros, two spaces, the meaning.
            guard let offset = Int(line.prefix(6), radix: 16), line.dropFirst(6).hasPrefix("  ") else {
                throw Failure.unreadableLine(String(line))
            }
            guard offset == start + bytes.count else {
                throw Failure.gap(expected: start + bytes.count, found: offset)
            }
            let columns = line.dropFirst(8).components(separatedBy: "  ")[0]
            let (digits, count) =
                columns.firstRange(of: " × ").map { range in
                    (String(columns[..<range.lowerBound]), Int(columns[range.upperBound...]) ?? 0)
                } ?? (columns, 1)
            guard digits.allSatisfy({ $0.isHexDigit || $0 == " " }) else {
                throw Failure.unreadableLine(String(line))
            }
            for _ in 0..<count { bytes += [UInt8](hexadecimal: digits) }
        }
        return bytes
    }

    /// Parses lines of `name = hex`; a line without a name continues the previous one.
    private static func values(_ lines: some Sequence<Substring>) throws -> [String: [UInt8]] {
        var values: [String: [UInt8]] = [:]
        var current = ""
        for line in lines {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 {
                current = parts[0].trimmingCharacters(in: .whitespaces)
                guard values[current] == nil else { throw Failure.unreadableLine(String(line)) }
                values[current] = []
            }
            guard let digits = parts.last, values[current] != nil else { throw Failure.unreadableLine(String(line)) }
            values[current]? += [UInt8](hexadecimal: String(digits))
        }
        return values
    }
}
