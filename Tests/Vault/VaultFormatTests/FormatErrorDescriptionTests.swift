import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// The messages that users read when something is wrong with a vault.
@Suite("Vault errors, in words") struct FormatErrorDescriptionTests {
    private static let device = DeviceID(countingBytes(from: 0x71, count: 16).span)
    private static let section = SectionID(countingBytes(from: 0x21, count: 16).span)
    private static let item = ItemID(countingBytes(from: 0x41, count: 16).span)

    private static let features: [UnsupportedFeature] = [
        .majorVersion(2), .suite(2), .incompatibleFeatures(2), .readOnlyFeatures(2), .algorithm(2),
        .keybagEntry(type: 2), .section(kind: 2), .record(kind: 2),
    ]
    private static let compression: [CompressionError] = [
        .malformed, .tooShort, .tooLong, .trailingBytes, .outOfMemory,
    ]
    private static let ciphers: [CipherError] = [
        .libraryUnavailable, .outOfMemory(neededByteCount: 5), .unusablePublicKey,
    ]
    private static let faults: [Fault.Reason] =
        [
            .tooShort, .reservedNotZero, .badLength, .badValue, .badPadding, .outOfOrder, .duplicate, .missing,
            .hashDiffers, .notAuthentic, .commitmentDiffers, .disagrees, .archive,
        ] + compression.map(Fault.Reason.compression) + Limit.allCases.map { .limitExceeded($0, value: 77) }
        + features.map(Fault.Reason.unsupported) + ciphers.map(Fault.Reason.cipher)
    private static let unavailabilities: [Unavailability] =
        ciphers.map(Unavailability.cipher) + [.file(code: 5, offset: 4096), .fileShrank(offset: 4096)]
    private static let errors: [VaultFormatError] =
        [
            .notAVault, .noMatch, .deviceKeyNeeded([device]), .unknownTail(offset: 4096),
            .notEnoughMemory(neededByteCount: 1 << 30, availableByteCount: 1 << 20),
            .notEnoughMemory(neededByteCount: 1 << 30, availableByteCount: nil),
        ] + features.map(VaultFormatError.unsupported) + Limit.allCases.map { .limitExceeded($0, value: 77) }
        + unavailabilities.map(VaultFormatError.unavailable)
        + faults.flatMap { fault -> [VaultFormatError] in
            [
                .headerFailure(fault, offset: 4096), .keybagFailure(fault, offset: 4096),
                .snapshotFailure(fault, offset: 4096),
            ]
        }
    private static let verdicts: [TailVerdict] = [
        .clean, .torn(byteCount: 640), .damaged(byteCount: 640), .inconsistent(offset: 640, sequence: 12),
    ]
    private static let failures: [RecordFailure] = faults.flatMap { fault in
        [
            .init(place: .frame(sequence: 12, record: 3), fault: fault),
            .init(place: .run(section: section, record: 3), fault: fault),
            .init(place: .section(section, item: item), fault: fault),
        ]
    }

    /// Whether `text` holds the name of a case as Swift prints it: camel case, or a word followed by `(`.
    private func hasNameOfCase(_ text: String) -> Bool {
        text.contains(/[a-z][A-Z]/) || text.contains(/\w\(/) || text.contains("VaultFormat")
    }

    private func expectWords(_ texts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(Set(texts).count == texts.count, "two messages are equal", sourceLocation: sourceLocation)
        for text in texts {
            // KiB is a unit, not the name of a case.
            let plain = text.replacing("KiB", with: "")
            #expect(!hasNameOfCase(plain), "\(text)", sourceLocation: sourceLocation)
            #expect(
                text.contains(" ") && !text.hasSuffix(".") && !text.contains("\n"),
                "\(text)",
                sourceLocation: sourceLocation
            )
            #expect(!text.contains("Optional"), "\(text)", sourceLocation: sourceLocation)
        }
    }

    @Test func `all errors have different messages, without names of cases`() {
        expectWords(Self.errors.map(\.description))
    }

    @Test func `the parts of messages differ, and are words too`() {
        expectWords(Self.faults.map(\.description))
        expectWords(Limit.allCases.map(\.description))
        expectWords(Self.features.map(\.description))
        expectWords(Self.unavailabilities.map(\.description))
        expectWords(Self.compression.map(\.description))
    }

    @Test func `verdicts and record failures have different messages`() {
        expectWords(Self.verdicts.map(\.description))
        expectWords(Self.failures.map(\.description))
    }

    @Test func `an error says where, and what to do next`() {
        let damaged = "\(VaultFormatError.snapshotFailure(.hashDiffers, offset: 4096))"
        #expect(damaged.contains("byte 4096") && damaged.contains("backup"))
        let memory = "\(VaultFormatError.notEnoughMemory(neededByteCount: 1 << 30, availableByteCount: 1 << 20))"
        #expect(memory.contains("1,073,741,824") && memory.contains("1,048,576") && memory.contains("try again"))
        #expect("\(VaultFormatError.deviceKeyNeeded([Self.device]))".contains(Self.device.description))
        #expect("\(VaultFormatError.unsupported(.majorVersion(2)))".contains("update"))
        #expect("\(TailVerdict.torn(byteCount: 640))".contains("the next change removes them"))
        #expect("\(Self.failures[2])".contains(Self.item.description))
        #expect("\(Fault(.badLength, at: 7))" == "byte 7: invalid length or offset")
    }

    /// A mistyped passphrase must not be reported as damage, nor damage as a wrong passphrase.
    @Test func `a wrong passphrase does not sound like damage`() {
        let noMatch = VaultFormatError.noMatch.description
        #expect(!noMatch.contains("damaged") && !noMatch.contains("backup"))
        let damage = VaultFormatError.keybagFailure(.notAuthentic, offset: 256).description
        #expect(damage.contains("damaged") && !damage.contains("passphrase"))
    }
}
