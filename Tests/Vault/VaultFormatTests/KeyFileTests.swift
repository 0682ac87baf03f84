import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Key files") struct KeyFileTests {

    /// The checks were computed with Python's hashlib.blake2b.
    private static let deviceText = """
        coffer device key 1
        device 00112233445566778899aabbccddeeff
        key 808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f
        check 2ac61e43

        """

    private static let credentialText = """
        coffer credential 1
        vault 101112131415161718191a1b1c1d1e1f
        team 202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f
        grant 606162636465666768696a6b6c6d6e6f
        secret 808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f
        check fde91f53

        """

    /// The file that a test damages.
    enum Kind: CaseIterable, Sendable {
        case deviceKey
        case credential

        var text: [UInt8] { Array((self == .deviceKey ? deviceText : credentialText).utf8) }

        /// The expected content of each line.
        var lines: [KeyFileLine] {
            switch self {
            case .deviceKey:
                [
                    .title("coffer device key 1"), .value(name: "device", digitCount: 32),
                    .value(name: "key", digitCount: 64), .value(name: "check", digitCount: 8),
                ]
            case .credential:
                [
                    .title("coffer credential 1"), .value(name: "vault", digitCount: 32),
                    .value(name: "team", digitCount: 64), .value(name: "grant", digitCount: 32),
                    .value(name: "secret", digitCount: 64), .value(name: "check", digitCount: 8),
                ]
            }
        }

        /// The error for an invalid line, counted from 1.
        func malformedLine(_ line: Int) -> KeyFileError { .malformedLine(line, lines[line - 1]) }
    }

    /// The error with which `text` is refused, or nil.
    private func error(_ kind: Kind, _ text: [UInt8]) -> KeyFileError? {
        do throws(KeyFileError) {
            switch kind {
            case .deviceKey: _ = try DeviceKeyFile(parsing: text.span)
            case .credential: _ = try CredentialFile(parsing: text.span)
            }
            return nil
        } catch {
            return error
        }
    }

    private func lines(_ kind: Kind) -> [String] {
        String(decoding: kind.text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func error(_ kind: Kind, lines: [String]) -> KeyFileError? {
        error(kind, Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    @Test func `a device key file is read and written`() throws {
        let text = Kind.deviceKey.text
        let file = try DeviceKeyFile(parsing: text.span)
        #expect(file.device.bytes == (0..<16).map { $0 * 0x11 })
        #expect(file.key.bytes == countingBytes(from: 0x80, count: 32))
        #expect(file.withText { [UInt8](copying: $0) } == text)
    }

    @Test func `a credential file is read and written`() throws {
        let text = Kind.credential.text
        let file = try CredentialFile(parsing: text.span)
        #expect(file.vault == .sample)
        #expect(file.team == countingBytes(from: 0x20, count: 32))
        #expect(file.grant == .sample)
        #expect(file.secret.bytes == countingBytes(from: 0x80, count: 32))
        #expect(file.withText { [UInt8](copying: $0) } == text)
    }

    @Test(.temporaryDirectory, .enabled(if: PythonOracle.isExpected, "Python is missing."), arguments: UInt64(0)..<4)
    func `Python writes the same files`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255, using: &generator) } }
        let (id, key, team, grant) = (random(16), random(32), random(32), random(16))
        let deviceFile = DeviceKeyFile(device: Identifier(id.span), key: try Key(key))
        let deviceText = deviceFile.withText { [UInt8](copying: $0) }
        #expect(try oracleAnswer(to: [id, key], task: "device-key") == [deviceText])
        let credential = CredentialFile(
            vault: Identifier(id.span),
            team: team,
            grant: Identifier(grant.span),
            secret: try Key(key)
        )
        let credentialText = credential.withText { [UInt8](copying: $0) }
        #expect(try oracleAnswer(to: [id, team, grant, key], task: "credential") == [credentialText])
    }

    @Test(arguments: Kind.allCases) func `every changed byte is reported with its line`(kind: Kind) {
        let text = kind.text
        var line = 1
        for index in text.indices {
            // The check detects a digit that becomes another digit.
            for byte in [text[index] ^ 1, UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " "), 0, 0xFF]
            where byte != text[index] {
                var changed = text
                changed[index] = byte
                let error = error(kind, changed)
                let isByCheck = error == .wrongCheck(line: kind.lines.count)
                #expect(error == kind.malformedLine(line) || isByCheck, "byte \(index) as \(byte)")
            }
            if text[index] == UInt8(ascii: "\n") { line += 1 }
        }
    }

    @Test(arguments: Kind.allCases) func `a changed digit in any line is detected by the check`(kind: Kind) {
        for number in 1..<kind.lines.count {
            var lines = lines(kind)
            let last = lines[number].removeLast()
            lines[number].append(last == "0" ? "1" : "0")
            #expect(error(kind, lines: lines) == .wrongCheck(line: kind.lines.count), "line \(number + 1)")
        }
    }

    @Test(arguments: Kind.allCases) func `a line has its name, one space and its digits`(kind: Kind) {
        for number in 1..<kind.lines.count {
            let parts = lines(kind)[number].split(separator: " ").map(String.init)
            let (name, digits) = (parts[0], parts[1])
            let intact = "\(name) \(digits)"
            let rest = "\(digits.dropFirst())"
            let damaged: [String] = [
                "", " \(intact)", "\(intact) ", "\(intact)0", "\(intact)00", "\(name) \(rest)",
                "\(name) \(digits.dropFirst(2))", "\(name)  \(digits)", "\(name)\t\(digits)", "\(name)\(digits)",
                "\(name.uppercased()) \(digits)", "x\(intact)", "\(intact.dropFirst())", "\(intact)\r",
                "\(name) g\(rest)", "\(name) A\(rest)", "\(name) \0\(rest)", "\(name) +\(rest)", "\(name) é\(rest)",
            ]
            for damage in damaged {
                var lines = lines(kind)
                lines[number] = damage
                #expect(error(kind, lines: lines) == kind.malformedLine(number + 1), "\(damage.debugDescription)")
            }
        }
    }

    @Test(arguments: Kind.allCases) func `lines in the wrong order are rejected`(kind: Kind) {
        for number in 1..<kind.lines.count - 1 {
            var lines = lines(kind)
            lines.swapAt(number, number + 1)
            #expect(error(kind, lines: lines) == kind.malformedLine(number + 1))
            lines = self.lines(kind)
            lines.insert(lines[number], at: number)
            #expect(error(kind, lines: lines) == kind.malformedLine(number + 2))
            lines = self.lines(kind)
            lines.remove(at: number)
            #expect(error(kind, lines: lines) == kind.malformedLine(number + 1))
        }
    }

    @Test(arguments: Kind.allCases) func `a truncated file is reported with its last line`(kind: Kind) {
        let text = kind.text
        for byteCount in text.indices {
            let line = text.prefix(byteCount).count { $0 == UInt8(ascii: "\n") } + 1
            #expect(error(kind, Array(text.prefix(byteCount))) == kind.malformedLine(line), "\(byteCount) bytes")
        }
    }

    @Test(arguments: Kind.allCases, ["\n", " ", "x", "\0", "coffer device key 1\n"])
    func `anything after the check is rejected`(kind: Kind, rest: String) {
        #expect(error(kind, kind.text + Array(rest.utf8)) == .trailingBytes(line: kind.lines.count + 1))
    }

    @Test func `files of the wrong kind, version or size are rejected`() {
        #expect(error(.deviceKey, Kind.credential.text) == Kind.deviceKey.malformedLine(1))
        #expect(error(.credential, Kind.deviceKey.text) == Kind.credential.malformedLine(1))
        for title in ["coffer device key 2", "coffer device key 10", "Coffer device key 1", "", "coffer device key 1 "]
        {
            #expect(
                error(.deviceKey, lines: [title] + lines(.deviceKey).dropFirst()) == Kind.deviceKey.malformedLine(1)
            )
        }
        let filling = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
        let text = Kind.deviceKey.text
        #expect(error(.deviceKey, text + filling.dropLast(text.count)) == .trailingBytes(line: 5))
        #expect(error(.deviceKey, text + filling.dropLast(text.count - 1)) == .tooLarge(byteCount: 4097))
        #expect(error(.deviceKey, [0xEF, 0xBB, 0xBF] + text) == Kind.deviceKey.malformedLine(1))
    }

    @Test func `a message names the line and its expected content`() {
        let title = KeyFileError.malformedLine(1, .title("coffer device key 1"))
        #expect("\(title)" == "line 1 is invalid: expected “coffer device key 1”")
        let key = KeyFileError.malformedLine(3, .value(name: "key", digitCount: 64))
        #expect("\(key)" == "line 3 is invalid: expected “key”, one space and 64 lowercase hexadecimal digits")
        #expect("\(KeyFileError.tooLarge(byteCount: 5000))" == "file too large: 5,000 bytes (limit 4,096)")
        #expect("\(KeyFileError.wrongCheck(line: 4))".contains("line 4"))
        #expect("\(KeyFileError.trailingBytes(line: 5))".contains("line 5"))
    }
}
