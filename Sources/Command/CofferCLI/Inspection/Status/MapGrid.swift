package import Coffer

/// A vault file as cells that stand for equally many bytes.
package struct MapGrid {
    /// What a cell shows.
    package struct Cell: Equatable {
        package var kind: VaultMap.Part.Kind
        package var isDamaged = false
        /// Whether a frame begins in it that is longer than a cell.
        package var startsFrame = false

        package init(_ kind: VaultMap.Part.Kind, isDamaged: Bool = false, startsFrame: Bool = false) {
            self.kind = kind
            self.isDamaged = isDamaged
            self.startsFrame = startsFrame
        }
    }

    /// The number of bytes that a cell stands for: a power of two, 64 or more.
    package private(set) var cellByteCount = 64
    package private(set) var cells: [Cell] = []

    /// Divides the file into at most `cellCountLimit` cells.
    ///
    /// A cell shows damage if it has any, else unknown bytes, else what most of its bytes are.
    package init(_ map: VaultMap, cellCountLimit: Int) {
        while (map.byteCount - 1) / cellByteCount >= max(1, cellCountLimit) { cellByteCount *= 2 }
        var byteCounts: [Int] = []
        for part in map.parts where !part.range.isEmpty {
            let first = part.range.lowerBound / cellByteCount
            for index in first...(part.range.upperBound - 1) / cellByteCount {
                if index == cells.count {
                    cells.append(Cell(part.kind))
                    byteCounts.append(0)
                }
                let cell = index * cellByteCount..<(index + 1) * cellByteCount
                let byteCount = part.kind == .unknown ? .max : part.range.clamped(to: cell).count
                if byteCount > byteCounts[index] { (cells[index].kind, byteCounts[index]) = (part.kind, byteCount) }
                if part.isDamaged { cells[index].isDamaged = true }
                if part.kind == .frame, index == first, part.range.count > cellByteCount {
                    cells[index].startsFrame = true
                }
            }
        }
    }
}
