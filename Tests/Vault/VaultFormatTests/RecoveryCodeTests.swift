import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Recovery code") struct RecoveryCodeTests {
    /// A code and the seed of its slot, computed with Python's integers and hashlib.blake2b.
    struct Sample: Sendable {
        let text: String
        let seed: String

        static let all = [
            Sample(
                text: "0000-0000-0000-0000-0000-0000-0000-0000-SG48",
                seed: "fd55818efe15ede76ecad34e4a84820fb6f0dbbc8db7bb1cb58eed90b4000c02"
            ),
            Sample(
                text: "000G-40R4-0M30-E209-185G-R38E-1W81-24GK-B90P",
                seed: "4358fe03a944a2763dbcba275e286653b9eea8eabedd76c81caaba463bb1536f"
            ),
            Sample(
                text: "ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-0M3M",
                seed: "da27d5a08ac537c72ef11764f61403b280f36f0b5f42f38bb17fe02f90bfed9f"
            ),
            Sample(
                text: "M2GT-58X4-MPKA-FA59-NANT-SBDE-NYRB-3CNK-A0P5",
                seed: "8c9f5967de22d7e65a002a08337f2ec6d267a6f7f1ae4f1b2a9f92357fd73efa"
            ),
        ]
    }

    private func code(_ text: String) throws(RecoveryCodeError) -> RecoverySecret {
        try RecoverySecret(parsing: Array(text.utf8).span)
    }

    private func text(_ code: RecoverySecret) -> String {
        code.withText { String(decoding: [UInt8](copying: $0), as: UTF8.self) }
    }

    private func seed(_ code: RecoverySecret) throws -> String {
        (try code.seed()).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(arguments: Sample.all) func `each code has the known text and seed`(sample: Sample) throws {
        let code = try code(sample.text)
        #expect(text(code) == sample.text)
        #expect(try seed(code) == sample.seed)
    }

    @Test(.temporaryDirectory, .enabled(if: PythonOracle.isExpected, "Python is missing."))
    func `Python writes the same codes`() throws {
        var generator = SeededGenerator(seed: 12)
        let secrets = (0..<200).map { _ in (0..<20).map { _ in UInt8.random(in: 0...255, using: &generator) } }
        let texts = try oracleAnswer(to: secrets, task: "recovery-code")
        try #require(texts.count == secrets.count)
        for (secret, text) in zip(secrets, texts) {
            let code = try RecoverySecret(parsing: text.span)
            #expect(code.withText { [UInt8](copying: $0) } == text)
            let seed = Label.recoveryCode.hash(32, secret)
            #expect((try code.seed()).bytes == seed)
        }
    }

    @Test func `new codes differ and are read back`() throws {
        let random = try SystemRandom()
        let codes = try (0..<20).map { _ in try RecoverySecret(random: random) }
        #expect(Set(codes.map(text)).count == codes.count)
        for new in codes { #expect(try seed(code(text(new))) == seed(new)) }
    }

    @Test(arguments: [
        "000g-40r4-0m30-e209-185g-r38e-1w81-24gk-b90p",
        "000G40R40M30E209185GR38E1W8124GKB90P",
        "  000G 40R4\t0M30 E209 185G R38E 1W81 24GK B90P ",
        "-0-0-0-G--40R4-0M30-E209-185G-R38E-1W81-24GK-B90P-",
        "OoO G-4oR4-oM3O-E2o9-I85G-R38E-iW8L-24GK-B9OP",
        "OOOG-40R4-0M30-E209-l85G-R38E-LW8i-24GK-B90P",
    ])
    func `separators, case and letters that look like digits do not matter`(text: String) throws {
        #expect(try seed(code(text)) == Sample.all[1].seed)
    }

    @Test(arguments: [0, 1, 35, 37, 100]) func `a wrong number of characters is reported`(count: Int) {
        let text = String(repeating: "0", count: count)
        #expect(throws: RecoveryCodeError.wrongCharacterCount(count)) { try code(text) }
        #expect(throws: RecoveryCodeError.wrongCharacterCount(count)) { try code("- \t" + text + " -") }
    }

    @Test(arguments: ["U", "u", "*", "\n", "\0", "_", "\u{2010}", "é", "\u{FF10}", "@", "[", "`", "{", "/", ":"])
    func `an invalid character is reported with its number`(character: String) {
        let rest = "00-40R4-0M30-E209-185G-R38E-1W81-24GK-B90P"
        #expect(throws: RecoveryCodeError.unknownCharacter(number: 1)) { try code(character + "0" + rest) }
        #expect(throws: RecoveryCodeError.unknownCharacter(number: 6)) {
            try code("000G-4" + character + "R4-0M30-E209-185G-R38E-1W81-24GK-B90P")
        }
        // The first invalid character is reported, however many there are.
        #expect(throws: RecoveryCodeError.unknownCharacter(number: 37)) {
            try code(Sample.all[1].text + character + character)
        }
    }

    @Test func `only the characters of the alphabet are accepted`() {
        let known = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyzOoIiLl -\t".utf8)
        for byte in UInt8.min...UInt8.max {
            let isUnknown: Bool
            do throws(RecoveryCodeError) {
                _ = try RecoverySecret(parsing: [byte].span)
                isUnknown = false
            } catch {
                isUnknown = error == .unknownCharacter(number: 1)
            }
            #expect(isUnknown == !known.contains(byte), "\(byte)")
        }
    }

    @Test func `a wrong character is detected by the check`() {
        let characters = Array(Sample.all[1].text.utf8)
        var survivors: [Int] = []
        for index in characters.indices where characters[index] != UInt8(ascii: "-") {
            var changed = characters
            changed[index] = characters[index] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
            do throws(RecoveryCodeError) {
                _ = try RecoverySecret(parsing: changed.span)
                survivors.append(index)
            } catch {
                #expect(error == .wrongCheck)
            }
        }
        #expect(survivors == [])
    }

    @Test func `each bit of the check counts`() {
        for (place, symbol) in zip(1...4, [22, 0, 9, 11]) {
            for bit in 0..<5 {
                let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
                // The text of sample 1 ends in B90P: 11, 9, 0, 22.
                var characters = Array(Sample.all[1].text.utf8)
                characters[characters.count - place] = alphabet[symbol ^ 1 << bit]
                #expect(throws: RecoveryCodeError.wrongCheck) {
                    try RecoverySecret(parsing: characters.span)
                }
            }
        }
    }

    @Test func `a message says what is wrong`() {
        #expect("\(RecoveryCodeError.wrongCharacterCount(35))" == "invalid recovery code: 35 characters instead of 36")
        let unknown = RecoveryCodeError.unknownCharacter(number: 9)
        #expect("\(unknown)" == "invalid recovery code: character 9, in group 3, cannot occur in one")
        #expect("\(RecoveryCodeError.cipher(.libraryUnavailable))".hasSuffix("could not be started"))
    }
}
