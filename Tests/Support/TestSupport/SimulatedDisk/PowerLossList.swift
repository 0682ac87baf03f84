/// Lists the power losses that are worth trying.
struct PowerLossList: Sendable {
    private(set) var losses: [NamedPowerLoss] = []
    private let disk: UncertainDisk
    private let sectors: [Int]
    private let smallestSector: Int
    private var counts: Set<[Int]> = []
    private let history: SectorHistory

    init(_ disk: UncertainDisk, sectors: [Int]) {
        self.disk = disk
        self.sectors = sectors
        smallestSector = sectors.min() ?? FileContent.unitByteCount
        history = SectorHistory(disk, sectors: Set(sectors + [smallestSector]))
    }

    private var itemCount: Int { disk.fileItems.count }
    private var nameCount: Int { disk.nameCalls.count }

    mutating func addAll() {
        addCounts()
        addLostWrites()
        addDroppedSectors()
        addOnlyLengths()
        addCuts()
    }

    // MARK: - Only the first changes

    private mutating func addCounts() {
        addCounts(0, 0)
        addCounts(itemCount, nameCount)
        for count in 0..<itemCount {
            addCounts(count, nameCount(before: disk.fileItems[count].call))
        }
        for (count, call) in disk.nameCalls.enumerated() {
            addCounts(disk.fileItems.count { $0.call < call }, count)
        }
        for count in 0...nameCount {
            addCounts(0, count)
            addCounts(itemCount, count)
        }
    }

    private mutating func addCounts(_ fileChanges: Int, _ nameChanges: Int) {
        guard counts.insert([fileChanges, nameChanges]).inserted else { return }
        let loss = PowerLoss(reachedFileChangeCount: fileChanges, reachedNameChangeCount: nameChanges)
        losses.append(NamedPowerLoss(name: .counts, loss: loss))
    }

    private func nameCount(before call: Int) -> Int { disk.nameCalls.count { $0 < call } }

    // MARK: - All but one change

    private mutating func add(_ name: NamedPowerLoss.Name, _ exceptions: [Int: PowerLoss.Outcome], sector: Int) {
        let loss = PowerLoss(
            reachedFileChangeCount: itemCount,
            reachedNameChangeCount: nameCount,
            sectorByteCount: sector,
            exceptions: exceptions
        )
        losses.append(NamedPowerLoss(name: name, loss: loss))
    }

    private mutating func addLostWrites() {
        // Without the last one, only the first ones are left, which is already listed.
        for index in 0..<max(0, itemCount - 1) where !isTakenLater(index) {
            add(.lostWrite(index), [index: .lost], sector: smallestSector)
        }
    }

    private mutating func addDroppedSectors() {
        for sector in sectors {
            for (index, item) in disk.fileItems.enumerated() {
                guard let range = item.writtenRange else { continue }
                for number in Sector.all(in: range, byteCount: sector)
                where !history.isTakenLater(number, byteCount: sector, after: index) {
                    addDroppedSector(number, of: index, byteCount: sector)
                }
            }
        }
    }

    private mutating func addDroppedSector(_ number: Int, of index: Int, byteCount: Int) {
        func add(_ fill: String, isStale: Bool) {
            let outcome = PowerLoss.Outcome.dropped([number], isStale: isStale)
            self.add(.droppedSector(number, of: index, fill: fill), [index: outcome], sector: byteCount)
        }
        if history.isNew(number, byteCount: byteCount, at: index) {
            add("zero-filled", isStale: false)
            add("with stale content", isStale: true)
        } else {
            add("with its old content", isStale: false)
        }
    }

    private mutating func addOnlyLengths() {
        let growing = disk.fileItems.indices.filter(history.growing.contains)
        for index in growing where Sector.all(in: range(of: index), byteCount: smallestSector).count > 1 {
            add(.onlyLength(index), [index: allDropped(index)], sector: smallestSector)
        }
        guard growing.count > 1 else { return }
        let exceptions = growing.map { ($0, allDropped($0)) }
        add(.onlyLengths, Dictionary(uniqueKeysWithValues: exceptions), sector: smallestSector)
    }

    private func allDropped(_ index: Int) -> PowerLoss.Outcome {
        .dropped(Set(Sector.all(in: range(of: index), byteCount: smallestSector)), isStale: false)
    }

    private func range(of index: Int) -> Range<Int> { disk.fileItems[index].writtenRange ?? 0..<0 }

    // MARK: - Part of one change

    private mutating func addCuts() {
        for (index, item) in disk.fileItems.enumerated() {
            guard let range = item.writtenRange else { continue }
            let numbers = Sector.all(in: range, byteCount: smallestSector).dropFirst()
            for nameCount in Set([nameCount(before: item.call), nameCount]).sorted() {
                for number in numbers {
                    let offset = number * smallestSector
                    let loss = PowerLoss(
                        reachedFileChangeCount: index,
                        reachedNameChangeCount: nameCount,
                        sectorByteCount: smallestSector,
                        exceptions: [index: .cut(at: offset)]
                    )
                    losses.append(NamedPowerLoss(name: .cut(index, at: offset), loss: loss))
                }
            }
        }
    }

    // MARK: - Random changes

    /// Whether there is anything to choose from.
    var hasRandomSubsets: Bool { itemCount + nameCount > 0 }

    /// Returns a random subset of the changes.
    func randomSubset(_ number: Int, seed: UInt64) -> NamedPowerLoss {
        var generator = SeededGenerator(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
        let sector = sectors.randomElement(using: &generator) ?? smallestSector
        var loss = PowerLoss(reachedFileChangeCount: 0, reachedNameChangeCount: 0, sectorByteCount: sector)
        loss.reachedNameChangeCount = Int.random(in: 0...nameCount, using: &generator)
        for (index, item) in disk.fileItems.enumerated() {
            loss.exceptions[index] = randomOutcome(item, sector, using: &generator)
        }
        return NamedPowerLoss(name: .random(number), loss: loss)
    }

    private func randomOutcome(
        _ item: UncertainDisk.FileItem,
        _ sector: Int,
        using generator: inout SeededGenerator
    ) -> PowerLoss.Outcome {
        guard let range = item.writtenRange, Int.random(in: 0..<4, using: &generator) > 0 else {
            return Bool.random(using: &generator) ? .reached : .lost
        }
        let dropped = Sector.all(in: range, byteCount: sector).filter { _ in Bool.random(using: &generator) }
        return .dropped(Set(dropped), isStale: Bool.random(using: &generator))
    }

    // MARK: - Later writes

    /// Whether later writes include all sectors of a write, so that none of it can be lost.
    private func isTakenLater(_ index: Int) -> Bool {
        guard let range = disk.fileItems[index].writtenRange else { return false }
        return Sector.all(in: range, byteCount: smallestSector).allSatisfy {
            history.isTakenLater($0, byteCount: smallestSector, after: index)
        }
    }
}
