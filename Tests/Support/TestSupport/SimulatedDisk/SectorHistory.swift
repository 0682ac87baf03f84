import VaultCrypto

/// The sectors that the uncertain writes touch if all of them reach the disk.
struct SectorHistory {
    private struct Key: Hashable {
        let file: Int
        let byteCount: Int
        let sector: Int
    }

    /// The writes that extend their file, by position in the order.
    private(set) var growing: Set<Int> = []
    /// For each write, the sectors that were never written before.
    private var new: [Int: Set<Key>] = [:]
    /// The last write to each sector.
    private var last: [Key: Int] = [:]
    private let disk: UncertainDisk

    init(_ disk: UncertainDisk, sectors: Set<Int>) {
        self.disk = disk
        for file in Set(disk.fileItems.map(\.file)) { read(file, sectors) }
    }

    private mutating func read(_ file: Int, _ sectors: Set<Int>) {
        let image = disk.image.files[file]
        var content = image.durable
        for (place, entry) in image.log.entries.enumerated() {
            switch entry.change {
            case .truncate(let byteCount):
                content.resize(to: byteCount)
            case .write(let offset, let bytes):
                let range = offset..<offset + bytes.count
                if let index = disk.order[file][place] {
                    if range.upperBound > content.bytes.count { growing.insert(index) }
                    content.grow(to: range.upperBound)
                    for byteCount in sectors { note(range, of: file, index, byteCount, content) }
                }
                content.write(bytes, at: offset)
            }
        }
    }

    private mutating func note(
        _ range: Range<Int>,
        of file: Int,
        _ index: Int,
        _ byteCount: Int,
        _ content: FileContent
    ) {
        for sector in Sector.all(in: range, byteCount: byteCount) {
            let key = Key(file: file, byteCount: byteCount, sector: sector)
            last[key] = index
            if content.isUnwritten(sector * byteCount..<(sector + 1) * byteCount) {
                new[index, default: []].insert(key)
            }
        }
    }

    /// Whether a sector was never written before the write at `index`.
    func isNew(_ sector: Int, byteCount: Int, at index: Int) -> Bool {
        let key = Key(file: disk.fileItems[index].file, byteCount: byteCount, sector: sector)
        return new[index]?.contains(key) == true
    }

    /// Whether a later write includes a sector, so that the content from the write at `index` cannot be lost.
    func isTakenLater(_ sector: Int, byteCount: Int, after index: Int) -> Bool {
        let key = Key(file: disk.fileItems[index].file, byteCount: byteCount, sector: sector)
        return last[key, default: index] > index
    }
}
