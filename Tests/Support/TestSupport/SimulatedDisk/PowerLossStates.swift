/// The possible disk states after a power failure at one moment, each made on request.
package struct PowerLossStates: RandomAccessCollection, Sendable {
    private let point: CrashPoint
    private let disk: UncertainDisk
    private let list: PowerLossList
    private let randomSubsets: Int
    private let seed: UInt64

    init(_ point: CrashPoint, sectors: [Int], randomSubsets: Int, seed: UInt64) {
        self.point = point
        disk = UncertainDisk(point.image)
        var list = PowerLossList(disk, sectors: sectors)
        list.addAll()
        self.list = list
        self.randomSubsets = list.hasRandomSubsets ? randomSubsets : 0
        self.seed = seed &+ UInt64(point.call) &* 0x9E37_79B9
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { list.losses.count + randomSubsets }

    package subscript(position: Int) -> CrashState {
        let isRandom = position >= list.losses.count
        let loss = isRandom ? list.randomSubset(position - list.losses.count, seed: seed) : list.losses[position]
        let description = "\(point.description): \(loss.name.text(disk, point.trace, loss.loss))"
        return CrashState(description: description) { [disk] in disk.image(after: loss.loss) }
    }
}

extension CrashPoint {
    /// Returns the states after a power failure: any part of what was not durable may have reached the disk.
    ///
    /// Of the changes since the last syncs, these are: none, all, or the first ones; all but one write; all but one
    /// sector of one write, for each size in `sectors`; all, but only the file length of one write; the first ones and
    /// the beginning of the next; name changes without the content, and content without name changes; and
    /// `randomSubsets` random subsets.
    package func powerLossStates(
        sectors: [Int] = [512, 4096],
        randomSubsets: Int = 8,
        seed: UInt64 = 0
    ) -> PowerLossStates {
        PowerLossStates(self, sectors: sectors, randomSubsets: randomSubsets, seed: seed)
    }
}
