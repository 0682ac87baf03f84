import CofferBasics
import TestSupport
import VaultCrypto
import VaultFormat

/// A group section built by hand, by the tables of sections 5.2 to 5.4: an independent implementation, which can make any
/// mistake.
struct RawSection {
    /// An entry of a leaf; sizes are in the units of the table.
    struct Entry {
        var digest = [UInt8](repeating: 0x10, count: 16)
        var item = [UInt8](repeating: 0x20, count: 16)
        var revision: UInt64 = 1
        var salt: UInt64 = 7
        var writer = RawSection.writer
        var place: UInt64 = 1 << 20
        var sequence: UInt64 = 3
        var time: Int64 = -4
        var metadata: UInt16 = 2
        var secret: UInt16 = 1
        var dataKey: UInt16 = 0
        var dictionary: UInt16 = 0
        var itemClass: UInt8 = 1
        var flags: UInt8 = 0
        var digests: [UInt64] = [5]
        /// What follows: the creation order, the end of a past revision, or the place in a log.
        var rest: [UInt8] = []

        var bytes: [UInt8] {
            var bytes = digest + item + littleEndian(revision) + littleEndian(salt) + writer + littleEndian(place)
            bytes += littleEndian(sequence) + littleEndian(time)
            for number in [metadata, secret, dataKey, dictionary] { bytes += littleEndian(number) }
            return bytes + [itemClass, flags] + digests.flatMap { littleEndian($0) } + rest
        }

        var boxesByteCount: Int { Int(metadata) * 16 + Int(secret) * 32 }
    }

    struct Leaf {
        var entries: [Entry]
        /// The number of entries that the page names.
        var count: UInt16?
        /// What follows the entries in the page.
        var rest: [UInt8] = []
        var boxesByteCount: Int?

        var page: [UInt8] {
            littleEndian(count ?? UInt16(entries.count)) + [0, 0] + entries.flatMap(\.bytes) + rest
        }
    }

    struct Dictionary {
        var id = RawSection.dictionaryID
        var box: [UInt8] = RawSection.dictionaryBox
        var dataKey: UInt16 = 0
    }

    /// An entry of an id page.
    struct Item {
        var prefix: [UInt8]
        var leaf = 0
        var number = 0

        var bytes: [UInt8] { prefix + littleEndian(UInt32(leaf * 64 + number)) }

        func precedes(_ other: Item) -> Bool {
            prefix == other.prefix
                ? (leaf, number) < (other.leaf, other.number) : prefix.lexicographicallyPrecedes(other.prefix)
        }
    }

    static let writer = countingBytes(from: 0x51, count: 8)
    static let dictionaryID = countingBytes(from: 0x61, count: 8)
    /// A box is as good as any other for readers without its data key.
    static let dictionaryBox = [UInt8](repeating: 0xDD, count: 64)
    static let id = countingBytes(from: 3, count: 16)

    let sample: ItemSample
    var handles: [[UInt8]]
    var dictionaries: [Dictionary] = []
    var flags: UInt8 = 0
    var writers: [(id: [UInt8], place: UInt64)] = [(RawSection.writer, 1 << 30)]
    var live: [Leaf] = []
    var past: [Leaf] = []
    /// Nil for one page of the items of the live leaves.
    var idPages: [[Item]]?
    /// The number that the fence names; nil for that of the entries.
    var pastCount: Int?
    /// The number that the directory names; nil for that of the entries.
    var liveCount: Int?
    var isIndex = false
    /// The number of zeros before the fence; nil for as many as needed.
    var zeros: [UInt8]?
    /// Changes the content of the fence.
    var editFence: (inout [UInt8]) -> Void = { _ in }

    init(_ sample: ItemSample, live: [[Entry]] = [], past: [[Entry]] = []) throws {
        self.sample = sample
        handles = [sample.handle.bytes]
        self.live = live.map { Leaf(entries: $0) }
        self.past = past.map { Leaf(entries: $0) }
    }

    private var pages: [[Item]] {
        if let idPages { return idPages }
        let items = live.enumerated().flatMap { leaf in
            leaf.element.entries.enumerated().map {
                Item(prefix: Array($0.element.item[..<4]), leaf: leaf.offset, number: $0.offset)
            }
        }
        return items.isEmpty ? [] : [items.sorted { $0.precedes($1) }]
    }

    private func sealed(_ content: [UInt8], _ label: String, _ rest: [UInt8]) -> [UInt8] {
        let group = sample.group.group.bytes + littleEndian(sample.group.epoch)
        return Box.sealed(
            content.span,
            key: sample.match.page,
            associatedData: Array(label.utf8) + [UInt8](repeating: 0, count: 16 - label.utf8.count)
                + VaultID.sample.bytes + group + Self.id + rest,
            cipher: sample.cipher
        )
    }

    /// The section and its bytes.
    var section: (section: Section, bytes: [UInt8]) {
        var bytes: [UInt8] = []
        var ends: [UInt8] = []
        for dictionary in dictionaries {
            bytes += dictionary.box
            ends += dictionary.id + littleEndian(UInt32(bytes.count)) + littleEndian(dictionary.dataKey) + [0, 0]
        }
        for writer in writers { ends += writer.id + littleEndian(writer.place) }
        for (list, leaves) in [(isIndex ? 4 : 1, live), (2, past)] as [(UInt32, [Leaf])] {
            for (number, leaf) in leaves.enumerated() {
                let page = sealed(leaf.page, "coffer1.page", littleEndian(list) + littleEndian(UInt32(number)))
                let sum = isIndex ? 0 : leaf.entries.reduce(0) { $0 + $1.boxesByteCount }
                bytes += page + [UInt8](repeating: 0xBB, count: leaf.boxesByteCount ?? sum)
                ends += (list == 2 ? leaf.entries.first?.item : leaf.entries.first?.digest) ?? Self.id
                ends += littleEndian(UInt32(bytes.count)) + littleEndian(UInt16(page.count / 64)) + [0, 0]
            }
        }
        for (number, page) in pages.enumerated() {
            let content = littleEndian(UInt16(page.count)) + [0, 0] + page.flatMap(\.bytes)
            bytes += sealed(content, "coffer1.page", littleEndian(3 as UInt32) + littleEndian(UInt32(number)))
            ends += page[0].prefix + littleEndian(UInt32(bytes.count))
        }
        var fence = littleEndian(UInt16(handles.count)) + littleEndian(UInt16(dictionaries.count)) + [flags, 0, 0, 0]
        let pastCount = pastCount ?? past.reduce(0) { $0 + $1.entries.count }
        for count in [writers.count, live.count, past.count, pages.count, pastCount] {
            fence += littleEndian(UInt32(count))
        }
        fence += handles.joined() + ends
        editFence(&fence)
        bytes += zeros ?? [UInt8](repeating: 0, count: -bytes.count & 63)
        let box = sealed(fence, "coffer1.fence", [])
        let section = Section(
            kind: .group,
            group: sample.group,
            id: SectionID(Self.id.span),
            byteCount: bytes.count + box.count,
            fenceByteCount: box.count,
            count: liveCount ?? live.reduce(0) { $0 + $1.entries.count },
            check: []
        )
        return (section, bytes + box)
    }

    func reader() throws -> GroupSectionReader<MemorySource> {
        let (section, bytes) = section
        return try GroupSectionReader(section, in: MemorySource(bytes), snapshotOffset: 0, keys: sample.match)
    }
}
