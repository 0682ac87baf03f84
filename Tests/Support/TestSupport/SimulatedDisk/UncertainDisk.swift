/// The parts of a disk that a power failure may change.
struct UncertainDisk: Sendable {
    /// A write or a truncation that may be lost.
    struct FileItem: Sendable {
        let file: Int
        let change: FileChange
        let call: Int
    }

    let image: DiskImage
    let fileItems: [FileItem]
    /// The calls that changed names.
    let nameCalls: [Int]
    /// The index in `fileItems` of each uncertain file change, by file and by position in the log of the file.
    let order: [[Int: Int]]

    init(_ image: DiskImage) {
        self.image = image
        let reachable = Set(
            image.directories.flatMap { directory in
                Array(directory.durable.values) + directory.log.entries.map(\.change.file)
            }
        )
        let places = image.files.indices.filter(reachable.contains).flatMap { file in
            image.files[file].log.uncertainIndices.map { (file: file, index: $0) }
        }.sorted { image.files[$0.file].log.entries[$0.index].call < image.files[$1.file].log.entries[$1.index].call }
        fileItems = places.map { place in
            let entry = image.files[place.file].log.entries[place.index]
            return FileItem(file: place.file, change: entry.change, call: entry.call)
        }
        nameCalls = image.directories.flatMap { directory in
            directory.log.uncertainIndices.map { directory.log.entries[$0].call }
        }.sorted()
        var order = [[Int: Int]](repeating: [:], count: image.files.count)
        for (number, place) in places.enumerated() { order[place.file][place.index] = number }
        self.order = order
    }

    /// Returns the disk after `loss`.
    func image(after loss: PowerLoss) -> DiskImage {
        image.settled(content: { content(of: $0, after: loss) }, names: { names(in: $0, after: loss) })
    }

    private func names(in directory: Int, after loss: PowerLoss) -> [String: Int] {
        let directory = image.directories[directory]
        var names = directory.durable
        let reached = Set(nameCalls.prefix(loss.reachedNameChangeCount))
        let entries = directory.log.entries
        for (index, entry) in entries.enumerated() {
            // A durable change requires the earlier changes to the same file.
            let isNeeded = entries[index...].contains { $0.fate == .durable && $0.change.file == entry.change.file }
            if isNeeded || reached.contains(entry.call) { entry.change.apply(to: &names) }
        }
        return names
    }

    private func content(of number: Int, after loss: PowerLoss) -> [UInt8] {
        let file = image.files[number]
        let outcomes = file.log.entries.indices.map { order[number][$0].map(loss.outcome) ?? .reached }
        guard outcomes.contains(where: { $0 != .reached }) else { return file.live }
        var sectors = SectorCache(file.durable, sectorByteCount: loss.sectorByteCount)
        for (entry, outcome) in zip(file.log.entries, outcomes) { sectors.apply(entry.change, outcome) }
        return sectors.disk.bytes
    }
}

extension UncertainDisk.FileItem {
    /// The bytes that it wrote; nil for a truncation.
    var writtenRange: Range<Int>? {
        guard case .write(let offset, let bytes) = change else { return nil }
        return offset..<offset + bytes.count
    }
}
