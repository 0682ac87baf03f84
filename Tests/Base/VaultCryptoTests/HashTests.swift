import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Hashes and derived keys") struct HashTests {
    private let key = [UInt8](0..<32)

    // MARK: - Known answers, computed with Python's hashlib

    @Test func `a hash without a key has the known value`() throws {
        #expect(
            Label.file.hash(32, Array("abc".utf8))
                == [UInt8](hexadecimal: "be318265f9b3dca1d4c2dee9d6b9637a5b1ff221cd073b0e4602fd053c197b4f")
        )
        #expect(
            Label.recoveryCheck.hash(16, [])
                == [UInt8](hexadecimal: "b9b03d2aa4276f1da3830594bd7126cb")
        )
    }

    @Test func `a hash with a key has the known value`() throws {
        let digest = try Key(key).hash(64, .slot, Array("abc".utf8))
        #expect(
            digest
                == [UInt8](
                    hexadecimal: """
                        5c08e76939511826bd8f1f30fdd5d5e7339d8674d7229edd542fa8f26ad4dbe7
                        bc1f94fc1421e70875bea243a1b8b2944bef9079139d50e154683fa1becde65d
                        """
                )
        )
    }

    @Test(
        arguments: [
            (0, "c44e4774f170f2e518b4c70dbd52e8a5fa1299d86719b49dc1c59da701dbc33d"),
            (1, "2f8026eaf4d8eabc1bdbbe7e49c4cc3b5c66740ff84667bf80c6951a0f57ca19"),
            (127, "35c90fc171f0601e951bb8db87e82555367e454b1a79c90e1f50bd19171c534d"),
            (128, "8292efc3427b5ceaa6e153634f782d7fc382b746a171a19cbf47c9bd9fa1f7e4"),
            (129, "2c84f61dedbf1c89625ccabd84d668da00b179d49a47fbdd3e4f5cd5fb6719ce"),
            (1000, "dd26f78f79e82aea3ef746dfac3d35db6b7e4791dc9b70c0186d8ac9601b786f"),
        ],
        [1, 7, 64, 128, 129, 2000]
    )
    func `a hash of an input in pieces has the known value`(input: (byteCount: Int, hash: String), pieceByteCount: Int)
    {
        let bytes = (0..<input.byteCount).map { UInt8($0 & 255) }
        let hash = RunningHash(.file)
        for start in stride(from: 0, to: bytes.count, by: pieceByteCount) {
            hash.append(bytes.span.extracting(start..<min(start + pieceByteCount, bytes.count)))
            hash.append(Span())
        }
        let value = hash.finish()
        #expect(value == [UInt8](hexadecimal: input.hash))
        #expect(value == Label.file.hash(32, bytes))
    }

    /// The first vectors of SipHash's authors, whose key are the bytes 0 to 15, in either half of a key.
    @Test(arguments: [Key.Half.first, .second])
    func `a short hash has the known value`(half: Key.Half) throws {
        let zeros = [UInt8](repeating: 0, count: 16)
        let key = try Key(half == .first ? [UInt8](0..<16) + zeros : zeros + [UInt8](0..<16))
        for (input, expected) in [
            ([], "a3817f04ba25a8e66df67214c7550293"), ([0 as UInt8], "da87c1d86b99af44347659119b22fc45"),
        ] {
            let digest = key.shortHash(half, input.span)
            #expect([UInt8](copying: digest.span) == [UInt8](hexadecimal: expected))
        }
    }

    // MARK: - Python

    @Test(
        .enabled(if: PythonOracle.isExpected, "Python is missing."),
        .temporaryDirectory,
        arguments: [nil, 0 as UInt8]
    )
    func `hashes match Python's`(first: UInt8?) throws {
        let random = DeterministicRandom(seed: "hashes")
        let key = try first.map { first in try Key((0..<32).map { $0 + first }) }
        var questions: [[UInt8]] = []
        var digests: [[UInt8]] = []
        for inputByteCount in [0, 1, 31, 127, 128, 129, 1000] {
            for byteCount in [1, 16, 24, 32, 64] {
                let input = random.bytes(inputByteCount)
                questions += [Array("\(byteCount)".utf8), key.map(\.bytes) ?? [], Label.chain.bytes, input]
                digests.append(key?.hash(byteCount, .chain, input) ?? Label.chain.hash(byteCount, input))
            }
        }
        #expect(try PythonOracle.crypto("blake2b", questions) == digests)
    }

    @Test(
        .enabled(if: PythonOracle.isExpected, "Python is missing."),
        .temporaryDirectory,
        arguments: [(false, false), (true, false), (true, true)]
    )
    func `derived keys match Python's`(hasKey: Bool, hasOther: Bool) throws {
        let other = [UInt8](100..<132)
        let input = Array("vault and device".utf8)
        let derived =
            switch (hasKey, hasOther) {
            case (false, _): try Label.bothRoots.key(input.span)
            case (true, false): try Key(key).derived(.bothRoots, input)
            case (true, true): try Key(key).derived(.bothRoots, input, appending: Key(other))
            }
        let expected = try PythonOracle.blake2b(
            32,
            key: hasKey ? key : [],
            label: .bothRoots,
            input + (hasOther ? other : [])
        )
        #expect(derived.bytes == expected)
    }

    @Test(.enabled(if: PythonOracle.isExpected, "Python is missing."), .temporaryDirectory)
    func `a key and its commitment are the halves of one hash`() throws {
        let input = Array("vault".utf8)
        let halves = try Key(key).keyAndCommitment(.slot, input)
        let expected = try PythonOracle.blake2b(64, key: key, label: .slot, input)
        #expect(halves.key.bytes + halves.commitment == expected)
    }

    @Test(.enabled(if: PythonOracle.isExpected, "Python is missing."), .temporaryDirectory)
    func `stretched passphrases match Python's`() throws {
        let passphrase = Array("correct horse".utf8)
        let salt = [UInt8](40..<56)
        var questions: [[UInt8]] = []
        var keys: [[UInt8]] = []
        for (passphrase, operations, kibibytes) in [(passphrase, 1, 8), (passphrase, 3, 64), ([], 2, 33)] {
            questions += [passphrase, salt, Array("\(operations)".utf8), Array("\(kibibytes)".utf8)]
            let key = try Key.ofPassphrase(
                passphrase.span,
                salt: salt,
                operations: operations,
                memoryByteCount: kibibytes * 1024
            )
            keys.append(key.bytes)
        }
        #expect(try PythonOracle.crypto("argon2id", questions) == keys)
    }

    @Test func `a passphrase is stretched to the known value`() throws {
        let passphrase = Array("correct horse".utf8)
        let key = try Key.ofPassphrase(
            passphrase.span,
            salt: [UInt8](40..<56),
            operations: 3,
            memoryByteCount: 65_536
        )
        #expect(
            key.bytes
                == [UInt8](hexadecimal: "b4fc2a5f9d6c120db2a9bf65451a2b93b363f8c7f210559a386dc73e47e21646")
        )
    }

    @Test func `a failed memory allocation is an error`() throws {
        let byteCount = 1 << 41
        #expect(throws: CipherError.outOfMemory(neededByteCount: byteCount)) {
            try Key.ofPassphrase([1].span, salt: [UInt8](0..<16), operations: 1, memoryByteCount: byteCount)
        }
    }

    // MARK: - Comparing

    @Test(
        arguments: [
            ([], [], true), ([1, 2], [1, 2], true), ([1, 2], [1, 3], false), ([1, 2], [0, 2], false),
            ([1, 2], [1], false), ([], [0], false),
        ] as [([UInt8], [UInt8], Bool)]
    )
    func `only identical bytes are equal`(one: [UInt8], other: [UInt8], areEqual: Bool) throws {
        #expect(VaultCrypto.areEqual(one.span, other.span) == areEqual)
    }

    // MARK: - Randomness

    @Test func `random bytes come from the given source`() throws {
        let bytes = DeterministicRandom(seed: "source").bytes(40)
        #expect(bytes.count == 40)
        #expect(DeterministicRandom(seed: "source").bytes(40) == bytes)
        #expect(DeterministicRandom(seed: "sourcf").bytes(40) != bytes)
        let random = DeterministicRandom(seed: "source")
        #expect((try random.key()).bytes == Array(bytes.prefix(32)))
    }

    @Test func `the system's random bytes differ from draw to draw`() throws {
        let random = try SystemRandom()
        let draws = (0..<50).map { _ in random.bytes(16) }
        #expect(Set(draws).count == 50)
        #expect(random.bytes(0) == [])
    }
}
