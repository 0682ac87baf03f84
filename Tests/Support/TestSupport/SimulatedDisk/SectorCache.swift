/// A file in the memory of the system, and the part of it that is on the disk.
struct SectorCache {
    private(set) var disk: FileContent
    private var memory: [UInt8]
    private let sectorByteCount: Int

    init(_ content: FileContent, sectorByteCount: Int) {
        disk = content
        memory = content.bytes
        self.sectorByteCount = sectorByteCount
    }

    mutating func apply(_ change: FileChange, _ outcome: PowerLoss.Outcome) {
        switch change {
        case .truncate(let byteCount):
            memory.resize(to: byteCount)
            if outcome != .lost { disk.resize(to: byteCount) }
        case .write(let offset, let bytes):
            let end = offset + bytes.count
            if memory.count < end { memory.resize(to: end) }
            memory.overwrite(at: offset, with: bytes, in: 0..<bytes.count)
            take(offset..<end, outcome)
        }
    }

    private mutating func take(_ range: Range<Int>, _ outcome: PowerLoss.Outcome) {
        switch outcome {
        case .lost:
            break
        case .reached:
            disk.grow(to: range.upperBound)
            disk.takeSectors(wholeSectors(range), from: memory)
        case .cut(let end):
            disk.grow(to: end)
            disk.takeSectors(wholeSectors(range.lowerBound..<end), from: memory)
        case .dropped(let sectors, let isStale):
            disk.grow(to: range.upperBound)
            for sector in Sector.all(in: range, byteCount: sectorByteCount) {
                let range = sector * sectorByteCount..<(sector + 1) * sectorByteCount
                if !sectors.contains(sector) {
                    disk.takeSectors(range, from: memory)
                } else if isStale, disk.isUnwritten(range) {
                    disk.showStaleBytes(in: range)
                }
            }
        }
    }

    private func wholeSectors(_ range: Range<Int>) -> Range<Int> {
        let sectors = Sector.all(in: range, byteCount: sectorByteCount)
        return sectors.lowerBound * sectorByteCount..<sectors.upperBound * sectorByteCount
    }
}

/// Sectors, counted from the beginning of the file.
enum Sector {
    /// Returns the sectors that `range` touches.
    static func all(in range: Range<Int>, byteCount: Int) -> Range<Int> {
        range.lowerBound / byteCount..<(range.upperBound + byteCount - 1) / byteCount
    }
}
