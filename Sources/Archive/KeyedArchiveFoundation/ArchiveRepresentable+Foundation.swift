public import FoundationEssentials
public import KeyedArchive

extension Data: ArchiveRepresentable {
    /// An `NSData`.
    public var archiveValue: ArchiveValue { .data(Array(self)) }

    /// Accepts data, and an array of byte values, which a program without this module writes.
    public init?(archiveValue: ArchiveValue) {
        switch archiveValue {
        case .data(let bytes): self.init(bytes)
        case .array(let elements):
            let bytes = elements.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
            guard bytes.count == elements.count else { return nil }
            self.init(bytes)
        default: return nil
        }
    }
}

extension Date: ArchiveRepresentable {
    /// An `NSDate`.
    public var archiveValue: ArchiveValue {
        .date(secondsSinceReferenceDate: timeIntervalSinceReferenceDate)
    }

    /// Accepts dates, and numbers of seconds since 2001, which a program without this module writes.
    public init?(archiveValue: ArchiveValue) {
        switch archiveValue {
        case .date(let seconds), .real(let seconds): self.init(timeIntervalSinceReferenceDate: seconds)
        default: return nil
        }
    }
}

extension UUID: ArchiveRepresentable {
    /// An `NSUUID`.
    public var archiveValue: ArchiveValue {
        .uuid(Swift.withUnsafeBytes(of: uuid) { bytes in bytes.reduce(0) { $0 << 8 | UInt128($1) } })
    }

    /// Accepts UUIDs, and their texts, which property lists use and `encodeEncodable` archives.
    public init?(archiveValue: ArchiveValue) {
        if case .string(let text) = archiveValue {
            self.init(uuidString: text)
            return
        }
        guard case .uuid(let value) = archiveValue else { return nil }
        func byte(_ index: UInt128) -> UInt8 { UInt8(truncatingIfNeeded: value >> (120 - 8 * index)) }
        self.init(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7),
                byte(8), byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
            )
        )
    }
}

extension URL: ArchiveRepresentable {
    /// An `NSURL`, including the URL that it is relative to.
    public var archiveValue: ArchiveValue { .url(archiveURL) }

    private var archiveURL: ArchiveURL {
        ArchiveURL(relativeString, relativeTo: baseURL?.archiveURL)
    }

    /// Accepts URLs whose text `URL` accepts, and their property list form, which `encodeEncodable` archives.
    public init?(archiveValue: ArchiveValue) {
        guard let url = ArchiveURL(archiveValue) else { return nil }
        self.init(url)
    }

    private init?(_ url: ArchiveURL) {
        guard let base = url.base else {
            self.init(string: url.text)
            return
        }
        guard let baseURL = URL(base) else { return nil }
        self.init(string: url.text, relativeTo: baseURL)
    }
}

extension ArchiveURL {
    /// Makes a URL from its form in an archive or in a property list, where it is a dictionary of two texts.
    fileprivate init?(_ value: ArchiveValue) {
        if case .url(let url) = value {
            self = url
            return
        }
        guard let text = value["relative"]?.string else { return nil }
        guard let base = value["base"] else {
            self.init(text)
            return
        }
        guard let base = ArchiveURL(base) else { return nil }
        self.init(text, relativeTo: base)
    }
}
