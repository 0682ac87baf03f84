internal import CofferBasics

/// Reads the central directory of a zip archive (PKWARE's APPNOTE.TXT, sections 4.3.7 to 4.3.16).
struct ZipDirectory {
    private(set) var entries: [ZipArchive.Entry] = []
    private(set) var refused: [String] = []
    private var names: Set<String> = []
    private var occupied: [Range<Int>] = []

    mutating func read(_ bytes: Span<UInt8>) throws {
        guard bytes.count <= HeldSecret.byteCountLimit else {
            throw PasswordFileError.tooLarge("the archive has more than 1 GiB")
        }
        let directory = try Self.directory(bytes)
        guard directory.entryCount <= ZipArchive.entryCountLimit else {
            throw PasswordFileError.tooLarge("the archive has more than \(ZipArchive.entryCountLimit) entries")
        }
        var offset = directory.range.lowerBound
        for _ in 0..<directory.entryCount {
            offset = try readEntry(bytes.extracting(..<directory.range.upperBound), at: offset)
        }
        guard offset == directory.range.upperBound else {
            throw PasswordFileError.invalid("byte \(offset): the directory of the archive has other bytes")
        }
        try checkPlaces(before: directory.range.lowerBound)
        try checkSizes(of: bytes.count)
    }

    /// Checks that entries neither overlap nor reach into the directory.
    private mutating func checkPlaces(before end: Int) throws {
        occupied.sort { $0.lowerBound < $1.lowerBound }
        var free = 0
        for range in occupied {
            guard range.lowerBound >= free else {
                throw PasswordFileError.invalid("byte \(range.lowerBound): entries overlap")
            }
            free = range.upperBound
        }
        guard free <= end else { throw PasswordFileError.invalid("byte \(end): an entry overlaps the directory") }
    }

    /// Checks what the archive would inflate to.
    private func checkSizes(of byteCount: Int) throws {
        let limit = Gzip.byteCountLimit(inFileWith: byteCount)
        var sum = 0
        for entry in entries {
            // Checked one by one: the sum of all could overflow.
            guard entry.byteCount <= limit - sum else {
                throw PasswordFileError.tooLarge(
                    "the archive would inflate to more than \(limit) bytes; unpack it and zip it without compression"
                )
            }
            sum += entry.byteCount
        }
    }

    // MARK: - The end of the archive

    /// The range of the central directory and its number of entries.
    private static func directory(
        _ bytes: Span<UInt8>
    ) throws -> (range: Range<Int>, entryCount: Int) {
        guard let end = endRecord(bytes) else {
            throw PasswordFileError.invalid("the zip archive has no directory; is it truncated?")
        }
        var entryCount = bytes.integer(UInt16.self, at: end + 10)
        var byteCount = bytes.integer(UInt32.self, at: end + 12)
        var start = bytes.integer(UInt32.self, at: end + 16)
        var directoryEnd = end
        // The locator of the 64-bit end record comes before the end record.
        if end >= 20, bytes.integer(UInt32.self, at: end - 20) == 0x0706_4B50 {
            let place = bytes.integer(UInt64.self, at: end - 12)
            guard place <= end - 20 - 56, bytes.integer(UInt32.self, at: place) == 0x0606_4B50 else {
                throw PasswordFileError.invalid("byte \(end - 20): the 64-bit end of the archive is missing")
            }
            entryCount = bytes.integer(UInt64.self, at: place + 32)
            byteCount = bytes.integer(UInt64.self, at: place + 40)
            start = bytes.integer(UInt64.self, at: place + 48)
            directoryEnd = place
        } else if bytes.integer(UInt16.self, at: end + 4) != 0 || bytes.integer(UInt16.self, at: end + 6) != 0 {
            throw PasswordFileError.unsupported("the archive is split into several files; join them")
        }
        guard start <= directoryEnd, byteCount == directoryEnd - start, entryCount <= byteCount / 46 else {
            throw PasswordFileError.invalid("byte \(end): the directory of the archive is not where its end says")
        }
        return (start..<directoryEnd, entryCount)
    }

    /// Where the end record is: followed by its comment and nothing else.
    private static func endRecord(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count >= 22 else { return nil }
        let last = bytes.count - 22
        return stride(from: last, through: max(0, last - 0xFFFF), by: -1).first { offset in
            bytes.integer(UInt32.self, at: offset) == 0x0605_4B50
                && bytes.integer(UInt16.self, at: offset + 20) == last - offset
        }
    }

    // MARK: - Entries

    /// Reads the header of an entry in the directory, and returns where the next one is.
    private mutating func readEntry(_ bytes: Span<UInt8>, at offset: Int) throws -> Int {
        guard offset <= bytes.count - 46, bytes.integer(UInt32.self, at: offset) == 0x0201_4B50 else {
            throw PasswordFileError.invalid("byte \(offset): expected an entry of the archive's directory")
        }
        let nameCount = bytes.integer(UInt16.self, at: offset + 28)
        let extraCount = bytes.integer(UInt16.self, at: offset + 30)
        let next = offset + 46 + nameCount + extraCount + bytes.integer(UInt16.self, at: offset + 32)
        guard next <= bytes.count else {
            throw PasswordFileError.invalid("byte \(offset): a header of the archive is too long")
        }
        // Bit 0 is encryption; bit 13 hides the values of the header.
        guard bytes.integer(UInt16.self, at: offset + 8) & 0x2001 == 0 else {
            throw PasswordFileError.unsupported(
                "the zip archive is encrypted; unpack it, or export without a password for the archive"
            )
        }
        var sizes = ZipSizes(bytes, at: offset)
        let extra = offset + 46 + nameCount
        try sizes.read64(bytes.extracting(extra..<extra + extraCount), at: extra)
        let name = bytes.extracting(offset + 46..<offset + 46 + nameCount)
        let stored = try Self.stored(bytes, name: name, sizes: sizes)
        occupied.append(sizes.header..<stored.upperBound)
        try add(
            name,
            ZipArchive.Entry(
                name: name.text,
                byteCount: sizes.content,
                method: UInt16(bytes.integer(UInt16.self, at: offset + 10)),
                checksum: UInt32(bytes.integer(UInt32.self, at: offset + 16)),
                stored: stored
            ),
            at: offset
        )
        return next
    }

    /// Where the stored bytes of an entry are, by its local header.
    private static func stored(
        _ bytes: Span<UInt8>,
        name: Span<UInt8>,
        sizes: ZipSizes
    ) throws -> Range<Int> {
        let header = sizes.header
        guard header <= bytes.count - 30, bytes.integer(UInt32.self, at: header) == 0x0403_4B50 else {
            throw PasswordFileError.invalid("byte \(header): expected an entry of the archive")
        }
        let nameCount = bytes.integer(UInt16.self, at: header + 26)
        let start = header + 30 + nameCount + bytes.integer(UInt16.self, at: header + 28)
        guard start <= bytes.count, sizes.stored <= bytes.count - start else {
            throw PasswordFileError.invalid("byte \(header): an entry is larger than the archive")
        }
        guard name.hasSameBytes(as: bytes.extracting(header + 30..<header + 30 + nameCount)) else {
            throw PasswordFileError.invalid("byte \(header): an entry has another name than in the directory")
        }
        return start..<start + sizes.stored
    }

    private mutating func add(_ name: Span<UInt8>, _ entry: ZipArchive.Entry, at offset: Int) throws {
        guard names.insert(entry.name).inserted else {
            throw PasswordFileError.invalid("byte \(offset): two entries of the archive have the same name")
        }
        let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
        let isSafe =
            name.isText && !name.isEmpty && !name.contains(0) && !name.contains(UInt8(ascii: "\\"))
            && parts.first != "" && !parts.contains("..") && parts.first?.last != ":"
        guard isSafe else {
            refused.append("\(entry.name.printable): unsafe name in the archive")
            return
        }
        if parts.last != "" { entries.append(entry) }
    }
}

/// The sizes and the place of an entry.
private struct ZipSizes {
    var content: Int
    var stored: Int
    /// Where the local header is.
    var header: Int

    init(_ bytes: Span<UInt8>, at offset: Int) {
        stored = bytes.integer(UInt32.self, at: offset + 20)
        content = bytes.integer(UInt32.self, at: offset + 24)
        header = bytes.integer(UInt32.self, at: offset + 42)
    }

    /// Reads the 64-bit values of the extra field (section 4.5.3), which only has those that do not fit in 32 bits.
    mutating func read64(_ extra: Span<UInt8>, at place: Int) throws {
        let full = Int(UInt32.max)
        guard content == full || stored == full || header == full else { return }
        var offset = 0
        while offset + 4 <= extra.count {
            let end = offset + 4 + extra.integer(UInt16.self, at: offset + 2)
            guard end <= extra.count else { break }
            guard extra.integer(UInt16.self, at: offset) == 1 else {
                offset = end
                continue
            }
            offset += 4
            for value in [\ZipSizes.content, \.stored, \.header] where self[keyPath: value] == full {
                guard offset + 8 <= end else { break }
                self[keyPath: value] = extra.integer(UInt64.self, at: offset)
                offset += 8
            }
            break
        }
        guard content < full, stored < full, header < full else {
            throw PasswordFileError.tooLarge("byte \(place): an entry of the archive is larger than 4 GiB")
        }
    }
}

extension Span<UInt8> {
    /// The unsigned integer at an offset that was checked; the largest `Int` if it is larger.
    fileprivate func integer<Value: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ type: Value.Type,
        at offset: Int
    ) -> Int {
        Int(clamping: littleEndian(at: offset, as: type))
    }
}
