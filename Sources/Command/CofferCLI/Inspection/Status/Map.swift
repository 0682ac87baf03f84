internal import Coffer
internal import CofferBasics

extension CommandRun {
    /// Draws the file of a vault.
    func writeMap() throws {
        let path = try pathOperand()
        let map = try vaults.map(at: path)
        if isJSON {
            try map.writeJSON(of: path, to: output)
        } else if output.isTerminal {
            let drawing = MapDrawing(map: map, isColored: try printsColor, columnCount: output.columnCount)
            try output.write(line: "\(path.printable): \(ByteSize.text(map.byteCount))\n")
            for line in drawing.lines { try output.write(line: line) }
            try output.write(line: "\nNothing of this is authenticated.")
        } else {
            for part in map.parts { try output.write(line: part.line(map.outline)) }
        }
        for text in map.damageTexts {
            messages.warning("\(path.printable): \(text)")
            status = ExitCode.damaged.rawValue
        }
    }
}

extension VaultMap.Part {
    /// The part as a line for programs.
    fileprivate func line(_ outline: VaultOutline?) -> String {
        "\(kind.rawValue)\t\(range.lowerBound)\t\(range.upperBound)\t\(isDamaged ? "damaged" : facts(outline))"
    }

    private func facts(_ outline: VaultOutline?) -> String {
        switch kind {
        case .header: outline.map { "id \($0.id), generation \($0.generation)" } ?? "intact"
        case .keybag: outline?.keybagCounts ?? "intact"
        case .directory, .sections: "sealed"
        case .frame: "change \(change ?? 0)"
        case .reserve: "zeros"
        case .unknown: "no frame"
        }
    }

    fileprivate func json(_ outline: VaultOutline?) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("kind", .string(kind.rawValue)), ("offset", JSON(range.lowerBound)), ("bytes", JSON(range.count)),
            ("damaged", .bool(isDamaged)),
        ]
        if let change { members.append(("change", .integer(Int64(clamping: change)))) }
        if kind == .keybag, !isDamaged, let outline {
            members += [
                ("slots", JSON(outline.slots.count)), ("devices", JSON(outline.devices.count)),
                ("groups", JSON(outline.groupCount)), ("grants", JSON(outline.grantCount)),
            ]
        }
        return .object(members)
    }
}

extension VaultMap {
    /// Writes the map as JSON: `Spec/command.md`, section 5.
    ///
    /// The parts are written one by one, since a file may have millions of them.
    fileprivate func writeJSON(of path: String, to output: Output) throws {
        let members: JSON = [
            "vault": .string(path), "id": JSON(outline?.id),
            "generation": outline.map { .integer(Int64(clamping: $0.generation)) } ?? .null, "bytes": JSON(byteCount),
            "damage": .array(damageTexts.map { .string($0) }),
        ]
        try output.write(String(members.text.dropLast()) + ", \"parts\": [")
        for (index, part) in parts.enumerated() {
            try output.write((index > 0 ? ", " : "") + part.json(outline).text)
        }
        try output.write(line: "]}")
    }
}
