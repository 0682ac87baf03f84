import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Header") struct HeaderTests {
    private let cipher: Cipher
    private let bytes: [UInt8]
    private let ownerKey: Key
    private let teamSecret: Key

    init() throws {
        let sample = try KeySample()
        cipher = sample.cipher
        let maker = try sample.maker()
        let (structureKey, entries) = try maker.structureKey()
        ownerKey = try maker.ownerKey()
        teamSecret = try cipher.random.key()
        var writer = try GenerationWriter(
            GenerationIdentity(
                generation: 5,
                baseSequence: 77,
                previousChain: ChainValue(bytes: countingBytes(from: 3, count: 32))
            ),
            Keybag(entries: entries),
            sectionCount: 0,
            structureKey: structureKey,
            ownerKey: ownerKey,
            cipher: cipher,
            to: MemorySink()
        )
        _ = writer.finish()
        bytes = writer.sink.bytes
    }

    /// The file with `field` at `offset`, and with a valid hash unless `rehash` is false.
    private func changed(_ bytes: [UInt8], _ offset: Int, _ field: [UInt8], rehash: Bool = true) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(offset..<offset + field.count, with: field)
        guard rehash else { return bytes }
        let hash = Label.file.hash(32, Array(bytes[..<192]))
        bytes.replaceSubrange(192..<224, with: hash)
        return bytes
    }

    private func header(_ bytes: [UInt8], fileByteCount: Int? = nil) throws(VaultFormatError) -> Header {
        try Header(parsing: Array(bytes.prefix(320)), fileByteCount: fileByteCount ?? bytes.count)
    }

    // MARK: - Fields

    @Test func `each field is where the table says`() throws {
        let header = try header(bytes)
        #expect(Array(bytes[..<8]) == [0x89, 0x43, 0x4F, 0x46, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(bytes[8..<16]) == [1, 0, 5, 0, 64, 1, 0, 0])
        #expect(Array(bytes[16..<32]) == VaultID.sample.bytes && header.vault == .sample)
        #expect(Array(bytes[32..<40]) == littleEndian(UInt64(5)) && header.generation == 5)
        #expect(Array(bytes[40..<56]) == [0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
        #expect(Array(bytes[56..<72]) == header.salt)
        #expect(Array(bytes[72..<76]) == littleEndian(UInt32(header.keybagByteCount)))
        #expect(Array(bytes[76..<80]) == [128, 0, 0, 0] && header.directoryByteCount == 128)
        #expect(Array(bytes[80..<88]) == [128, 0, 0, 0, 0, 0, 0, 0] && header.snapshotByteCount == 128)
        #expect(Array(bytes[88..<96]) == littleEndian(UInt64(77)) && header.baseSequence == 77)
        #expect(Array(bytes[96..<128]) == countingBytes(from: 3, count: 32))
        #expect(header.previousChain == countingBytes(from: 3, count: 32))
        let keybag = Array(bytes[header.keybagRange])
        #expect(Array(bytes[128..<160]) == Label.file.hash(32, keybag))
        let directory = Array(bytes[header.directoryRange])
        #expect(Array(bytes[160..<192]) == Label.file.hash(32, directory))
        #expect(Array(bytes[192..<224]) == Label.file.hash(32, Array(bytes[..<192])))
        #expect(Array(bytes[224..<256]) == ownerKey.hash(32, .header, Array(bytes[..<224])))
        #expect(Array(bytes[256..<320]) == [UInt8](repeating: 0, count: 64))
        #expect(header.logOffset == bytes.count)
        #expect(header.encoded(key: ownerKey, teamSecret: nil) == Array(bytes[..<320]))
    }

    @Test func `the MAC is made with the key of the owner`() {
        #expect(Header.isAuthentic(bytes, key: ownerKey))
        #expect(!Header.isAuthentic(bytes, key: teamSecret))
        #expect(!Header.isAuthentic(changed(bytes, 10, [7]), key: ownerKey))
        #expect(!Header.isAuthentic(changed(bytes, 255, [bytes[255] ^ 1]), key: ownerKey))
    }

    @Test func `the signature covers all bytes before it`() throws {
        let signed = try header(bytes).encoded(key: ownerKey, teamSecret: teamSecret)
        #expect(Array(signed[..<256]) == Array(bytes[..<256]))
        #expect(Header.isSigned(signed, by: teamSecret.signingPublicKey))
        for offset in [0, 100, 230, 255, 256, 319] {
            #expect(!Header.isSigned(changed(signed, offset, [signed[offset] ^ 1], rehash: false), by: signed))
        }
        #expect(!Header.isSigned(signed, by: ownerKey.signingPublicKey) && !Header.isSigned(signed, by: []))
        #expect(!Header.isSigned(signed, by: nil) && Header.isSigned(bytes, by: nil))
        #expect(!Header.isSigned(bytes, by: teamSecret.signingPublicKey))
    }

    @Test(arguments: [([1, 0], 1), ([0, 0], 0), ([2, 1], 258)] as [([UInt8], Int)])
    func `another draft is unsupported`(field: [UInt8], number: Int) {
        #expect(throws: VaultFormatError.unsupported(.draft(number))) { try header(changed(bytes, 10, field)) }
    }

    @Test func `a file without the bit of a draft is unsupported`() {
        #expect(throws: VaultFormatError.unsupported(.draft(nil))) { try header(changed(bytes, 43, [0])) }
    }

    @Test func `compatible features do not stop a reader, and are kept`() throws {
        let newer = changed(changed(bytes, 48, [1, 2, 3, 4]), 44, [0, 0, 0, 128])
        let header = try header(newer)
        #expect(header.features.compatible == 0x0403_0201)
        #expect(header.features.readOnlyCompatible == 0x8000_0000)
        #expect(Array(header.encoded(key: ownerKey, teamSecret: nil)[..<224]) == Array(newer[..<224]))
    }

    @Test func `the error for another draft says which program to use`() {
        let earlier = VaultFormatError.unsupported(.draft(4)).description
        #expect(earlier.contains("`coffer export --for coffer") && earlier.contains("`coffer import "))
        #expect(VaultFormatError.unsupported(.draft(6)).description.contains("update this program"))
    }

    // MARK: - Order of the checks of section 2.1

    private struct Defect: Sendable {
        var offset: Int
        var field: [UInt8]
        var error: VaultFormatError
    }

    /// One defect for each check, in the order of the checks.
    private static let defects: [Defect] = [
        Defect(offset: 0, field: [0x88], error: .notAVault),
        Defect(offset: 8, field: [2, 0], error: .unsupported(.majorVersion(2))),
        Defect(offset: 192, field: [], error: .headerFailure(.hashDiffers, offset: 192)),
        Defect(offset: 52, field: [9], error: .unsupported(.suite(9))),
        Defect(offset: 40, field: [4, 0, 0, 129], error: .unsupported(.incompatibleFeatures(0x8100_0004))),
        Defect(offset: 40, field: [0, 0, 0, 0], error: .unsupported(.draft(nil))),
        Defect(offset: 10, field: [6, 0], error: .unsupported(.draft(6))),
        Defect(offset: 12, field: [0, 2], error: .headerFailure(.badLength, offset: 12)),
        Defect(offset: 32, field: [0, 0, 0, 0, 0, 0, 0, 0], error: .headerFailure(.badValue, offset: 32)),
        Defect(offset: 55, field: [1], error: .headerFailure(.reservedNotZero, offset: 55)),
        Defect(offset: 88, field: [0, 0, 0, 0, 0, 8, 0, 0], error: .headerFailure(.badValue, offset: 88)),
        Defect(offset: 72, field: [0, 0, 0, 0], error: .headerFailure(.badLength, offset: 72)),
        Defect(offset: 76, field: [0, 1, 0, 0], error: .headerFailure(.badLength, offset: 76)),
    ]

    @Test(arguments: defects.indices)
    func `the checks are made in the order of the specification`(number: Int) {
        var file = bytes
        // The hash is valid except in the case that tests it.
        for defect in Self.defects[number...].reversed() { file = changed(file, defect.offset, defect.field) }
        let error = Self.defects[number].error
        if error == .headerFailure(.hashDiffers, offset: 192) { file[192] ^= 1 }
        #expect(throws: error) { try header(file) }
    }

    @Test(arguments: [
        (32, littleEndian(UInt64(1) << 63), 32, Fault.Reason.badValue), (72, [1, 1, 0, 0], 72, .badLength),
        (76, [63, 0, 0, 0], 76, .badLength), (80, [65, 0, 0, 0, 0, 0, 0, 0], 80, .badLength),
        (76, [0, 0, 0, 0], 76, .badLength), (52, [1, 1, 0, 0], 53, .reservedNotZero),
        (12, [64, 1, 0, 1], 12, .badLength),
    ])
    func `a field with an invalid value is reported with its offset`(
        offset: Int,
        field: [UInt8],
        faultOffset: Int,
        fault: Fault.Reason
    ) {
        #expect(throws: VaultFormatError.headerFailure(fault, offset: faultOffset)) {
            try header(changed(bytes, offset, field))
        }
    }

    @Test(arguments: [
        (72, littleEndian(UInt32(1_048_576 + 64)), Limit.keybag, 1_048_640 as UInt64),
        (80, littleEndian(UInt64(1) << 32 + 64), .file, 1 << 32 + 64),
        (80, littleEndian(UInt64.max - 63), .file, UInt64(Int.max)),
    ])
    func `an excessive length is reported with its value`(offset: Int, field: [UInt8], limit: Limit, value: UInt64) {
        #expect(throws: VaultFormatError.limitExceeded(limit, value: value)) {
            try header(changed(bytes, offset, field))
        }
    }

    @Test func `a directory beyond its limit is reported before the missing end of the file`() {
        let file = changed(changed(bytes, 76, littleEndian(UInt32(16 << 20 + 64))), 80, littleEndian(UInt64(32 << 20)))
        #expect(throws: VaultFormatError.limitExceeded(.directory, value: 16_777_280)) { try header(file) }
    }

    @Test func `a file beyond its limit is rejected`() throws {
        #expect(throws: VaultFormatError.limitExceeded(.file, value: 4_294_967_297)) {
            try header(bytes, fileByteCount: 4_294_967_297)
        }
        #expect(try header(bytes, fileByteCount: 4_294_967_296).vault == .sample)
    }

    // MARK: - Short files

    @Test(arguments: 0..<320) func `a file that ends within the header fails with the right error`(byteCount: Int) {
        let error: VaultFormatError = byteCount < 8 ? .notAVault : .headerFailure(.tooShort, offset: byteCount)
        #expect(throws: error) { try header(Array(bytes[..<byteCount])) }
    }

    @Test(arguments: [0, 1, 319, 320, 70_000]) func `a file of zero bytes is not a vault`(byteCount: Int) {
        #expect(throws: VaultFormatError.notAVault) { try header([UInt8](repeating: 0, count: byteCount)) }
    }

    @Test func `a file that ends before the end of its snapshot is truncated`() {
        let byteCount = bytes.count - 1
        #expect(throws: VaultFormatError.headerFailure(.tooShort, offset: byteCount)) {
            try header(bytes, fileByteCount: byteCount)
        }
    }
}
