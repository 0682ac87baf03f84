internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let picture = Option(
        "--svg",
        argument: .value("FILE", .file),
        summary: "write a picture in SVG to FILE instead of printing the map"
    )
}

extension Verb {
    static let map = Verb(
        "map",
        .inspection,
        "Draw the file of a vault: its parts, their sizes, and damage",
        operands: [.optionalPath],
        options: [.picture],
        details: """
            No key is needed, so nothing shown here is authenticated, and damage inside of sealed parts is not seen: \
            `coffer verify` checks a vault, with what opens it.

            Without a terminal, each line has the kind of a part, the offsets of its first byte and of the byte after \
            its last one, and what can be seen of it, separated by tabs.

            FILE is created with mode 0600, and replaced only with --force.
            """,
        examples: [
            Example(call: "coffer map", purpose: "draw the default vault at a terminal"),
            Example(call: "coffer map backup.coffer --svg backup.svg", purpose: "draw a picture for a web page"),
        ]
    ) { run in
        let path = try run.pathOperand()
        let map = try run.vaults.map(at: path)
        if let file = run.arguments.value(of: .picture) {
            try run.checkNoVault(at: file)
            // The picture may be shown to others, so it does not name the directory.
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let picture = MapPicture(map: map, name: name.printable)
            try run.write(picture.text.utf8Span.span, toFile: file)
        } else if run.isJSON {
            try map.writeJSON(of: path, to: run.output)
        } else if run.output.isTerminal {
            let drawing = MapDrawing(map: map, isColored: try run.printsColor, columnCount: run.output.columnCount)
            try run.output.write(line: "\(path.printable): \(ByteSize.text(map.byteCount))\n")
            for line in drawing.lines { try run.output.write(line: line) }
            try run.output.write(line: "\nNothing of this is authenticated.")
        } else {
            for part in map.parts { try run.output.write(line: part.line(map.outline)) }
        }
        for text in map.damageTexts {
            run.messages.warning("\(path.printable): \(text)")
            run.status = ExitCode.damaged.rawValue
        }
    }
}

extension Run {
    /// Throws if there is a vault at `path`, even a damaged one: `--force` is not meant for that.
    fileprivate func checkNoVault(at path: String) throws {
        guard (try? vaults.map(at: path)) == nil else {
            throw CommandError(.alreadyExists, "\(path.printable) is a vault; choose another file for the picture")
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
