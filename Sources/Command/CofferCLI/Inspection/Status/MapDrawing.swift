internal import CofferScreen
internal import Coffer
internal import CofferBasics

/// A map of a vault file in characters, for a terminal.
struct MapDrawing {
    private static let rowCountLimit = 12
    private static let indentation = "  "

    let map: VaultMap
    let isColored: Bool
    /// The width of the terminal.
    let columnCount: Int

    /// The lines of the map: cells in rows, their scale, and the legend.
    var lines: [String] { rows + [""] + legend }

    // MARK: - Cells

    private var rows: [String] {
        let labelWidth = "1023.9 KiB".count
        let room = columnCount - labelWidth - 2 * Self.indentation.count
        // So that rows begin at whole KiB.
        let width = room < 16 ? max(1, room) : room / 16 * 16
        let grid = MapGrid(map, cellCountLimit: width * Self.rowCountLimit)
        var lines: [String] = []
        for start in stride(from: 0, to: grid.cells.count, by: width) {
            let label = start == 0 ? "0" : ByteSize.text(start * grid.cellByteCount)
            let cells = grid.cells[start..<min(grid.cells.count, start + width)]
            lines.append(
                Self.indentation + Style.faint(label.leftPadded(to: labelWidth), isColored) + Self.indentation
                    + drawn(cells)
            )
        }
        let (cell, row) = (ByteSize.text(grid.cellByteCount), ByteSize.text(grid.cellByteCount * width))
        let column = labelWidth + 2 * Self.indentation.count
        let scale = "1 cell = \(cell), 1 row = \(row)".wrapped(to: columnCount - column)
        return lines + scale.map { blanks(column) + Style.faint($0, isColored) }
    }

    private func drawn(_ cells: ArraySlice<MapGrid.Cell>) -> String {
        var line = ""
        var rest = cells
        while let first = rest.first {
            let alike = rest.prefix { $0.kind == first.kind && $0.isDamaged == first.isDamaged }
            let symbols = alike.map { $0.startsFrame && !$0.isDamaged && $0.kind == .frame ? "▐" : $0.symbol }
            line += Style.part(symbols.joined(), first.kind, isDamaged: first.isDamaged, isColored)
            rest = rest.dropFirst(alike.count)
        }
        return line
    }

    // MARK: - Legend

    private var legend: [String] {
        let rows = MapRow.rows(map)
        let names = ["PART"] + rows.map(\.name)
        let sizes = ["SIZE"] + rows.map { ByteSize.text($0.byteCount) }
        let shares = ["SHARE"] + rows.map { map.share(of: $0) }
        let facts = ["VISIBLE WITHOUT A KEY"] + rows.map { $0.facts(map.outline) }
        let (nameWidth, sizeWidth, shareWidth) = (names.greatestWidth, sizes.greatestWidth, shares.greatestWidth)
        let symbolWidth = Self.indentation.count + 3
        var factColumn = symbolWidth + nameWidth + sizeWidth + shareWidth + 6
        // In a narrow terminal facts are below the numbers.
        let isNarrow = columnCount - factColumn < 24
        if isNarrow { factColumn = symbolWidth }
        return names.indices.flatMap { index in
            let symbol =
                index == 0 ? " " : drawn([MapGrid.Cell(rows[index - 1].kind, isDamaged: rows[index - 1].isDamaged)])
            let columns = [
                names[index].rightPadded(to: nameWidth), sizes[index].leftPadded(to: sizeWidth),
                shares[index].leftPadded(to: shareWidth),
            ]
            let texts = facts[index].wrapped(to: columnCount - factColumn)
            let numbers = columns.joined(separator: "  ")
            let lines = isNarrow ? [numbers] + texts : [numbers + "  " + (texts.first ?? "")] + texts.dropFirst()
            return lines.enumerated().map { number, line in
                (number == 0 ? Self.indentation + symbol + "  " : blanks(factColumn))
                    + (index == 0 ? Style.heading(line, isColored) : line)
            }
        }
    }
}

extension VaultMap {
    /// The share of the file that the parts of `row` take, in percent.
    func share(of row: MapRow) -> String {
        let percent = Double(row.byteCount) / Double(max(1, byteCount)) * 100
        return percent < 0.05 ? "<0.1%" : Decimal.text(percent, digits: 1) + "%"
    }
}

extension MapGrid.Cell {
    /// A character that distinguishes kinds without color.
    var symbol: String {
        guard !isDamaged else { return "!" }
        return switch kind {
        case .header: "H"
        case .keybag: "K"
        case .directory: "D"
        case .sections: "▒"
        case .frame: "█"
        case .reserve: "·"
        case .unknown: "?"
        }
    }
}

extension Style {
    /// Text in the color of a kind of parts; letters are on a colored ground, so that they fill a cell.
    fileprivate static func part(
        _ text: String,
        _ kind: VaultMap.Part.Kind,
        isDamaged: Bool,
        _ isOn: Bool
    ) -> String {
        let code =
            switch kind {
            case _ where isDamaged: "1;7;31"
            case .header: "7;" + cyan
            case .keybag: "7;" + magenta
            case .directory: "7;" + green
            case .sections: green
            case .frame: blue
            case .reserve: dim
            case .unknown: "7;" + yellow
            }
        return withColor(text, code, isOn)
    }
}

extension [String] {
    fileprivate var greatestWidth: Int { reduce(0) { Swift.max($0, $1.columnCount) } }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String { blanks(width - columnCount) + self }
    fileprivate func rightPadded(to width: Int) -> String { self + blanks(width - columnCount) }
}

private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
