import CofferBasics
import Testing
import TestSupport
import VaultFormat

/// The parts of a vault file that can be told without a key: sections 2, 6 and 7.
@Suite("Parts of a vault file") struct VaultPartTests {
    private static let goldenVaults: [VaultVector] =
        ((try? VaultVector.golden()) ?? []).map(\.vector).filter { $0.name.hasSuffix(", 1") }
    private static let vectors: [VaultVector] = (try? VaultVector.all()) ?? []

    private static func golden(_ name: String) throws -> [UInt8] {
        try #require(goldenVaults.first { $0.name.hasPrefix(name) }, "there is no vault \(name)").bytes
    }

    private func found(_ bytes: [UInt8]) throws(VaultFormatError) -> VaultParts {
        try VaultParts(of: MemorySource(bytes))
    }

    private func parts(_ bytes: [UInt8]) throws -> [VaultPart] { try found(bytes).parts }

    /// Checks what is true of all files, and returns whether the file has parts.
    @discardableResult
    private func check(_ bytes: [UInt8], _ name: String) -> Bool {
        do throws(VaultFormatError) {
            let found = try found(bytes)
            var end = 0
            for part in found.parts {
                #expect(part.range.lowerBound == end && !part.range.isEmpty, "\(name): \(part)")
                end = part.range.upperBound
            }
            #expect(end == bytes.count, "\(name)")
            #expect(found.parts.first?.kind == .header, "\(name)")
            #expect(found.parts.dropLast().allSatisfy { $0.kind != .reserve }, "\(name)")
            #expect((found.inspection == nil) == (found.parts.first?.isDamaged == true || isCut(found)), "\(name)")
            return true
        } catch {
            switch error {
            case .notAVault, .unsupported: break
            default: Issue.record("\(name): \(error)")
            }
            return false
        }
    }

    /// Whether the file ends before the log begins.
    private func isCut(_ found: VaultParts) -> Bool {
        found.damage.contains { if case .headerFailure(.tooShort, _) = $0 { true } else { false } }
    }

    // MARK: - All files

    @Test func `the parts of each golden vault and vector are all bytes of the file, none of them twice`() {
        #expect(Self.vectors.count > 100 && Self.goldenVaults.count > 4)
        for vector in Self.goldenVaults { #expect(check(vector.bytes, vector.name), "\(vector.name)") }
        for vector in Self.vectors { check(vector.bytes, vector.name) }
    }

    @Test func `an intact vault has no damaged and no unknown part`() throws {
        for vector in Self.goldenVaults {
            for part in try parts(vector.bytes) {
                #expect(part.kind != .unknown && !part.isDamaged, "\(vector.name): \(part)")
            }
        }
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func `the parts of a damaged file are all bytes of it, none of them twice`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let vector = try #require(Self.goldenVaults.randomElement(using: &generator))
        var bytes = vector.bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 8..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes.removeLast(min(bytes.count - 400, bytes.count - place))
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + 64))
            case 3: bytes.insert(contentsOf: [UInt8](repeating: 0, count: 64), at: place)
            default: bytes += bytes[..<place]
            }
        }
        check(bytes, "\(vector.name), seed \(seed)")
    }

    @Test func `the parts of each beginning of a vault are all of its bytes`() throws {
        let bytes = try Self.golden("basic")
        for byteCount in 10..<bytes.count { check(Array(bytes[..<byteCount]), "\(byteCount) bytes") }
    }

    // MARK: - An intact file

    /// Section 2.1: keybag length at 72, directory length at 76, snapshot length at 80, base sequence number at 88.
    @Test func `the parts are where the header and the heads of frames say`() throws {
        let bytes = try Self.golden("basic")
        func number(_ offset: Int, _ byteCount: Int) -> Int {
            bytes[offset..<offset + byteCount].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let keybag = 320..<320 + number(72, 4)
        let directory = keybag.upperBound..<keybag.upperBound + number(76, 4)
        let log = keybag.upperBound + number(80, 8)
        var expected = [
            "header 0..<320", "keybag \(keybag)", "directory \(directory)", "sections \(directory.upperBound..<log)",
        ]
        var offset = log
        while offset + 96 <= bytes.count, Array(bytes[offset..<offset + 4]) == Array("COFX".utf8) {
            let end = offset + 96 + number(offset + 4, 4)
            expected.append("frame(sequence: \(number(offset + 8, 8))) \(offset..<end)")
            offset = end
        }
        if offset < bytes.count { expected.append("reserve \(offset..<bytes.count)") }
        let seen = try parts(bytes).map { "\($0.kind) \($0.range)" }
        #expect(seen == expected.filter { !$0.hasSuffix("\(log)..<\(log)") })
        #expect(seen.contains { $0.hasPrefix("frame") })
    }

    // MARK: - Damage

    @Test func `damage to keybag and directory marks them alone`() throws {
        let bytes = try Self.golden("groups")
        let intact = try parts(bytes)
        for index in [1, 2] {
            var changed = bytes
            changed[intact[index].range.lowerBound] ^= 1
            let seen = try parts(changed)
            #expect(seen.map(\.range) == intact.map(\.range))
            #expect(seen.indices.filter { seen[$0].isDamaged } == [index])
        }
    }

    @Test func `with a damaged header the frames and the reserve are still found`() throws {
        let reserve = [UInt8](repeating: 0, count: 640)
        let bytes = try Self.golden("basic") + reserve
        let intact = try parts(bytes)
        var changed = bytes
        changed[100] ^= 1
        let found = try found(changed)
        let log = try #require(intact.firstIndex { if case .frame = $0.kind { true } else { false } })
        #expect(Array(found.parts.dropFirst(2)) == Array(intact[log...]))
        #expect(found.parts[0].isDamaged && found.parts[0].range == 0..<320)
        #expect(found.parts[1].kind == .unknown && !found.parts[1].isDamaged)
        #expect(found.inspection == nil)
        #expect(found.damage == [.headerFailure(.hashDiffers, offset: 192)])
    }

    @Test func `a file that was cut off in a part has the parts before it, and that one damaged`() throws {
        let bytes = try Self.golden("groups")
        let intact = try parts(bytes)
        for index in 1...3 {
            let cut = intact[index].range.upperBound - 8
            let found = try found(Array(bytes[..<cut]))
            #expect(found.parts.map(\.kind) == intact[...index].map(\.kind))
            #expect(found.parts.map(\.isDamaged) == Array(repeating: false, count: index) + [true])
            #expect(found.damage == [.headerFailure(.tooShort, offset: cut)])
        }
    }

    @Test func `what is not a vault, or of another version, has no parts`() throws {
        var bytes = try Self.golden("basic")
        #expect(throws: VaultFormatError.notAVault) { try found([]) }
        #expect(throws: VaultFormatError.notAVault) { try found([0] + bytes) }
        bytes[8] = 2
        #expect(throws: VaultFormatError.unsupported(.majorVersion(2))) { try found(bytes) }
    }
}
