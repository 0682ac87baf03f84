package import Coffer

/// A vault file as a bar of segments, each of them a run of parts of the same kind and condition.
///
/// Segments are as long as the scale says, or as long as the least width where that is more.
package struct MapBar {
    package struct Segment {
        package let kind: VaultMap.Part.Kind
        package let isDamaged: Bool
        package fileprivate(set) var range: Range<Int>
        /// The parts of the run, if it is not a division of the file.
        package fileprivate(set) var parts: Range<Int>?
        package fileprivate(set) var start = 0.0
        package fileprivate(set) var width = 0.0
        fileprivate var isToScale = true
        /// Whether it is visibly wider than the scale says.
        package fileprivate(set) var isWidened = false
    }

    package private(set) var segments: [Segment]
    /// The width of a byte in a segment that is to scale.
    package private(set) var scale = 0.0

    /// Divides a bar of `width` into segments, each at least `leastWidth` wide if that takes three quarters of it at most.
    ///
    /// A file with more than `segmentLimit` runs of parts is divided into at most `cellCountLimit` cells instead.
    package init(_ map: VaultMap, width: Double, leastWidth: Double, segmentLimit: Int, cellCountLimit: Int) {
        segments = []
        for (index, part) in map.parts.enumerated() where segments.count <= segmentLimit {
            append(part.kind, isDamaged: part.isDamaged, part.range, index..<index + 1)
        }
        if segments.count > segmentLimit {
            segments = []
            let grid = MapGrid(map, cellCountLimit: cellCountLimit)
            for (index, cell) in grid.cells.enumerated() {
                let start = index * grid.cellByteCount
                let range = start..<min(map.byteCount, start + grid.cellByteCount)
                append(cell.kind, isDamaged: cell.isDamaged, range, nil)
            }
        }
        place(width, leastWidth: min(leastWidth, 0.75 * width / Double(max(1, segments.count))))
    }

    private mutating func append(
        _ kind: VaultMap.Part.Kind,
        isDamaged: Bool,
        _ range: Range<Int>,
        _ parts: Range<Int>?
    ) {
        guard let last = segments.last, last.kind == kind, last.isDamaged == isDamaged else {
            return segments.append(Segment(kind: kind, isDamaged: isDamaged, range: range, parts: parts))
        }
        let index = segments.count - 1
        segments[index].range = last.range.lowerBound..<range.upperBound
        if let first = last.parts, let parts { segments[index].parts = first.lowerBound..<parts.upperBound }
    }

    private mutating func place(_ width: Double, leastWidth: Double) {
        var narrow: [Int] = []
        repeat {
            for index in narrow { segments[index].isToScale = false }
            let exact = segments.filter(\.isToScale)
            let room = width - leastWidth * Double(segments.count - exact.count)
            scale = room / Double(max(1, exact.reduce(0) { $0 + $1.range.count }))
            narrow = segments.indices.filter { index in
                segments[index].isToScale && Double(segments[index].range.count) * scale < leastWidth
            }
        } while !narrow.isEmpty
        var start = 0.0
        for index in segments.indices {
            let isToScale = segments[index].isToScale
            segments[index].start = start
            segments[index].width = isToScale ? Double(segments[index].range.count) * scale : leastWidth
            segments[index].isWidened = segments[index].width > 1.1 * Double(segments[index].range.count) * scale
            start += segments[index].width
        }
    }
}
