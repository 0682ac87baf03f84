internal import Coffer

/// A map of a vault file as a picture in SVG, which needs nothing else and suits light and dark pages.
struct MapPicture {
    private static let width = 960.0
    private static let margin = 24.0
    private static let barTop = 112.0
    private static let barHeight = 52.0
    private static let rowHeight = 24.0
    private static let lineHeight = 17.0
    /// Segments that are narrower have neither borders nor marks.
    private static let leastMarkedWidth = 20.0

    let map: VaultMap
    /// The name of the file.
    let name: String

    private var barWidth: Double { Self.width - 2 * Self.margin }
    private var barEnd: Double { Self.barTop + Self.barHeight }

    /// The picture.
    var text: String {
        let bar = MapBar(map, width: barWidth, leastWidth: 76, segmentLimit: 40, cellCountLimit: 400)
        var body = SVG()
        body.text(name.shortened(to: 48), "ink title", Self.margin, 40)
        body.text(summary, "faint", Self.margin, 60)
        draw(bar, in: &body)
        drawAxis(bar, in: &body)
        var y = drawLegend(from: barEnd + 86, in: &body)
        for line in map.damageTexts.flatMap({ $0.wrapped(to: 140) }) {
            body.text(line, "damage-ink", Self.margin, y)
            y += Self.lineHeight
        }
        body.text("Drawn by coffer map without a key; none of it is authenticated.", "faint small", Self.margin, y + 10)
        return head(height: y + 30) + body.text + "</svg>\n"
    }

    private var summary: String {
        let generation = map.outline.map { ", generation \($0.generation)" } ?? ""
        let damage = map.damageTexts.isEmpty ? "" : ", damaged"
        return "\(ByteSize.text(map.byteCount))\(generation)\(damage)"
    }

    private func head(height: Double) -> String {
        let sizes = MapRow.rows(map).map { row in
            "\(row.name)\(row.isDamaged ? " (damaged)" : "") \(ByteSize.text(row.byteCount))"
        }
        let size = "\(Self.width.digits) \(height.digits)"
        var svg = SVG()
        svg.add(
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" width="\(Self.width.digits)" \
            height="\(height.digits)" role="img" aria-labelledby="coffer-map-title coffer-map-description">
            <title id="coffer-map-title">The file of the vault \(name.escapedForXML)</title>
            <desc id="coffer-map-description">\(summary): \(sizes.joined(separator: ", ")).</desc>
            \(MapPictureStyle.definitions)
            """
        )
        svg.rect("page", 0.5, 0.5, Self.width - 1, height - 1, " rx=\"8\"")
        return svg.text
    }

    // MARK: - Bar

    private func draw(_ bar: MapBar, in svg: inout SVG) {
        for segment in bar.segments {
            let (x, middle) = (Self.margin + segment.start, Self.margin + segment.start + segment.width / 2)
            svg.add("<g><title>\(title(of: segment))</title>")
            svg.rect(
                segment.isDamaged ? "damage" : segment.kind.rawValue,
                x,
                Self.barTop,
                segment.width,
                Self.barHeight
            )
            if segment.isDamaged || segment.kind == .unknown {
                svg.rect("hatch", x, Self.barTop, segment.width, Self.barHeight)
            }
            drawFrames(segment, in: &svg)
            if segment.width >= Self.leastMarkedWidth { drawMarks(segment, x, in: &svg) }
            svg.add("</g>")
            guard segment.width >= 60 else { continue }
            let style = segment.isDamaged ? "damage-ink" : "ink"
            svg.text(label(of: segment), "\(style) label", middle, Self.barTop - 26, .middle)
            svg.text(ByteSize.text(segment.range.count), "faint", middle, Self.barTop - 9, .middle)
        }
    }

    /// Draws what needs some width: the border, a character for what is not known, and a break if it is widened.
    private func drawMarks(_ segment: MapBar.Segment, _ x: Double, in svg: inout SVG) {
        if x > Self.margin { svg.line("gap", [(x, Self.barTop), (x, barEnd)]) }
        if segment.isDamaged || segment.kind == .unknown {
            let mark = segment.isDamaged ? "!" : "?"
            svg.text(mark, "mark", x + segment.width / 2, Self.barTop + 35, .middle)
        }
        if segment.isWidened { drawBreak(at: x + segment.width * 0.8, Self.barTop - 1, Self.barHeight + 2, in: &svg) }
    }

    /// Draws where frames begin, if they are wide enough to be told apart.
    private func drawFrames(_ segment: MapBar.Segment, in svg: inout SVG) {
        guard segment.kind == .frame, let parts = segment.parts, segment.width / Double(parts.count) >= 4 else {
            return
        }
        for index in parts.dropFirst() {
            let share =
                Double(map.parts[index].range.lowerBound - segment.range.lowerBound) / Double(segment.range.count)
            let x = Self.margin + segment.start + segment.width * share
            svg.line("seam", [(x, Self.barTop), (x, barEnd)])
        }
    }

    /// Draws the mark of a segment that is wider than to scale.
    private func drawBreak(at x: Double, _ top: Double, _ height: Double, in svg: inout SVG) {
        svg.line(
            "break",
            [(x + 3, top), (x - 3, top + height / 3), (x + 3, top + height * 2 / 3), (x - 3, top + height)]
        )
    }

    private func label(of segment: MapBar.Segment) -> String {
        switch segment.kind {
        case .frame: segment.parts.map { $0.count.counted("frame") } ?? "frames"
        case let kind: kind.rawValue
        }
    }

    private func title(of segment: MapBar.Segment) -> String {
        let damage = segment.isDamaged ? ", damaged" : ""
        return "\(label(of: segment))\(damage): bytes \(segment.range.lowerBound) to \(segment.range.upperBound)"
    }

    /// Draws the offsets of the segments, and the scale.
    private func drawAxis(_ bar: MapBar, in svg: inout SVG) {
        let end = Self.margin + barWidth
        let most = String(map.byteCount)
        let digitWidth = 7.0
        svg.text(most, "faint small", end, barEnd + 16, .end)
        var room = Self.margin
        for segment in bar.segments {
            let x = Self.margin + segment.start
            let offset = segment.range.lowerBound == 0 ? "byte 0" : String(segment.range.lowerBound)
            let width = Double(offset.count) * digitWidth + 6
            guard x >= room, x + width <= end - Double(most.count) * digitWidth else { continue }
            svg.text(offset, "faint small", x, barEnd + 16)
            room = x + width
        }
        var byteCount = 1
        while Double(byteCount) * bar.scale < 48, byteCount < map.byteCount { byteCount *= 2 }
        let (y, length) = (barEnd + 46, Double(byteCount) * bar.scale)
        svg.line(
            "rule",
            [(Self.margin, y - 8), (Self.margin, y - 4), (Self.margin + length, y - 4), (Self.margin + length, y - 8)]
        )
        svg.text(ByteSize.text(byteCount), "faint small", Self.margin + length + 8, y)
        guard bar.segments.contains(where: { $0.isWidened && $0.width >= Self.leastMarkedWidth }) else { return }
        let x = Self.margin + length + 110
        svg.rect("reserve", x, y - 12, 22, 14)
        drawBreak(at: x + 11, y - 13, 16, in: &svg)
        svg.text("wider than to scale", "faint small", x + 30, y)
    }

    // MARK: - Legend

    /// Draws a row for each kind of parts, and returns where the next line of text is.
    private func drawLegend(from top: Double, in svg: inout SVG) -> Double {
        let (nameColumn, sizeColumn, shareColumn, factColumn) = (Self.margin + 26, 236.0, 300.0, 330.0)
        svg.text("part", "faint small", nameColumn, top)
        svg.text("size", "faint small", sizeColumn, top, .end)
        svg.text("share", "faint small", shareColumn, top, .end)
        svg.text("visible without a key", "faint small", factColumn, top)
        var y = top + 10
        svg.line("rule", [(Self.margin, y), (Self.margin + barWidth, y)])
        y += Self.rowHeight
        for row in MapRow.rows(map) {
            svg.rect(row.isDamaged ? "damage" : row.kind.rawValue, Self.margin, y - 12, 16, 16, " rx=\"3\"")
            if row.isDamaged || row.kind == .unknown {
                svg.rect("hatch", Self.margin, y - 12, 16, 16, " rx=\"3\"")
            }
            svg.text(row.name, row.isDamaged ? "damage-ink label" : "ink label", nameColumn, y)
            svg.text(ByteSize.text(row.byteCount), "ink", sizeColumn, y, .end)
            svg.text(map.share(of: row), "faint", shareColumn, y, .end)
            for (index, line) in row.facts(map.outline).wrapped(to: 92).enumerated() {
                if index > 0 { y += Self.lineHeight }
                svg.text(line, row.isDamaged ? "damage-ink" : "ink", factColumn, y)
            }
            y += Self.rowHeight
        }
        return y + 6
    }
}

extension String {
    /// The text, or its beginning with an ellipsis if it has more than `count` characters.
    fileprivate func shortened(to count: Int) -> String { self.count > count ? prefix(count - 1) + "…" : self }
}
