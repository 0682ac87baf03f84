import CofferScreen
import Coffer
import CofferCLI
import Foundation
import TestSupport
import Testing

/// How `coffer map` divides a file into cells and segments.
@Suite("Division of a map") struct MapDivisionTests {
    /// A map of parts with these kinds and sizes, damaged if the kind is preceded by an exclamation mark.
    private func map(_ parts: [(kind: String, byteCount: Int)]) throws -> VaultMap {
        var offset = 0
        return VaultMap(
            try parts.map { part in
                let isDamaged = part.kind.hasPrefix("!")
                let kind = try #require(VaultMap.Part.Kind(rawValue: String(part.kind.drop { $0 == "!" })))
                defer { offset += part.byteCount }
                return .init(kind, offset..<offset + part.byteCount, isDamaged: isDamaged)
            }
        )
    }

    private func randomMap(_ seed: UInt64, partCount: Int) throws -> VaultMap {
        var generator = SeededGenerator(seed: seed)
        return try map(
            (0..<partCount).map { _ in
                let kind = VaultMap.Part.Kind.allCases.randomElement(using: &generator)?.rawValue ?? ""
                let exponent = Int.random(in: 0..<20, using: &generator)
                return (
                    Bool.random(using: &generator) ? kind : "!" + kind,
                    Int.random(in: 1...1 << exponent, using: &generator)
                )
            }
        )
    }

    // MARK: - Cells

    @Test func `cells stand for the least power of two bytes, from 64 on, with which all fit`() throws {
        for (byteCount, limit, cellByteCount) in [
            (1, 1, 64), (64, 1, 64), (65, 1, 128), (640, 10, 64), (641, 10, 128), (1 << 32, 768, 1 << 23),
            (100, 0, 128),
        ] {
            let grid = MapGrid(try map([("header", byteCount)]), cellCountLimit: limit)
            #expect(grid.cellByteCount == cellByteCount, "\(byteCount) bytes")
            #expect(grid.cells.count == (byteCount + cellByteCount - 1) / cellByteCount, "\(byteCount) bytes")
        }
    }

    @Test func `a cell shows what most of it is`() throws {
        let grid = MapGrid(
            try map([("header", 40), ("keybag", 50), ("sections", 38), ("frame", 64)]),
            cellCountLimit: 9
        )
        #expect(grid.cells.map(\.kind) == [.header, .sections, .frame])
        #expect(MapGrid(try map([("header", 20), ("keybag", 44)]), cellCountLimit: 9).cells == [.init(.keybag)])
    }

    @Test func `a cell with any damage shows damage, one with any unknown bytes shows these`() throws {
        let parts = [("!keybag", 1), ("sections", 127), ("unknown", 1), ("reserve", 63)]
        let grid = MapGrid(try map(parts), cellCountLimit: 9)
        #expect(grid.cells == [.init(.sections, isDamaged: true), .init(.sections), .init(.unknown)])
        #expect(MapGrid(try map(parts), cellCountLimit: 1).cells == [.init(.unknown, isDamaged: true)])
    }

    @Test func `a cell shows the begin of a frame that is longer than it`() throws {
        let map = try map([("frame", 128), ("frame", 256)])
        #expect(MapGrid(map, cellCountLimit: 9).cells.map(\.startsFrame) == [true, false, true, false, false, false])
        #expect(MapGrid(map, cellCountLimit: 4).cells.map(\.startsFrame) == [false, true, false])
    }

    // MARK: - Segments

    @Test func `segments are to scale unless they would be too narrow`() throws {
        let map = try map([("header", 100), ("sections", 6000), ("frame", 1000), ("frame", 2000)])
        let bar = MapBar(map, width: 1000, leastWidth: 100, segmentLimit: 9, cellCountLimit: 9)
        #expect(bar.segments.map(\.kind) == [.header, .sections, .frame])
        #expect(bar.segments.map(\.width) == [100, 600, 300])
        #expect(bar.segments.map(\.start) == [0, 100, 700])
        #expect(bar.segments.map(\.isWidened) == [true, false, false])
        #expect(bar.segments.map(\.parts) == [0..<1, 1..<2, 2..<4])
        #expect(bar.scale == 0.1)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `segments are the whole file and fill the bar`(seed: UInt64) throws {
        let map = try randomMap(seed, partCount: Int(seed) + 1)
        let bar = MapBar(map, width: 900, leastWidth: 76, segmentLimit: 20, cellCountLimit: 100)
        let least = min(76, 0.75 * 900 / Double(bar.segments.count))
        var (end, offset) = (0.0, 0)
        for segment in bar.segments {
            #expect(abs(segment.start - end) < 1e-6 && segment.range.lowerBound == offset)
            #expect(segment.width > least - 1e-6)
            let exact = Double(segment.range.count) * bar.scale
            #expect(abs(segment.width - max(exact, least)) < 1e-6)
            (end, offset) = (end + segment.width, segment.range.upperBound)
        }
        #expect(abs(end - 900) < 1e-6 && offset == map.byteCount)
    }

    @Test func `a file with very many runs of parts is divided into cells`() throws {
        let map = try map((0..<500).flatMap { _ in [("frame", 1000), ("!unknown", 24)] })
        let bar = MapBar(map, width: 900, leastWidth: 76, segmentLimit: 20, cellCountLimit: 100)
        #expect(bar.segments.count <= 100)
        #expect(bar.segments.allSatisfy { $0.isDamaged && $0.parts == nil })
        #expect(bar.segments.last?.range.upperBound == 512_000)
    }
}

/// What `coffer map` prints and writes.
@Suite("Maps", .temporaryDirectory) struct MapTests {
    private let sample: CommandSample
    private let vault: URL

    init() throws {
        sample = try CommandSample()
        vault = sample.home.appending(path: "it's <a> & \"b\".coffer")
        let golden = Repository.root.appending(path: "Fixtures/vaults/v1/groups.coffer")
        try FileManager.default.copyItem(at: golden, to: vault)
    }

    private func drawn(_ options: [String] = [], columnCount: Int = 80) -> [String] {
        let words = ["map", vault.path] + options
        let call = CommandSample.Call(words: words, isOutputTerminal: true, columnCount: columnCount)
        return sample.run(call).text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The texts of the picture, as a parser of XML reads them.
    private func picture() throws -> (source: String, texts: [String]) {
        let path = sample.home.appending(path: "map.svg").path
        let result = sample.run("map", vault.path, "--svg", path, "--force")
        #expect(result.text == "")
        let source = try Data(contentsOf: URL(filePath: path))
        let texts = try LibraryOracle.answers("svg-texts", [Array(source)])
        return (
            String(decoding: source, as: UTF8.self),
            String(decoding: texts[0], as: UTF8.self).split(separator: "\n").map(String.init)
        )
    }

    private func flip(_ offset: Int) throws {
        var bytes = try Data(contentsOf: vault)
        bytes[offset] ^= 1
        try bytes.write(to: vault)
    }

    // MARK: - Terminal

    @Test(arguments: [1, 20, 40, 57, 80, 100, 133, 200])
    func `rows of cells and the legend are as wide as the terminal at most`(columnCount: Int) {
        let lines = drawn(["--color", "never"], columnCount: columnCount)
        let cells = lines.count { $0.contains("▒") } - 1
        #expect(cells > 0 && cells <= 12)
        // Words and numbers are not divided, and the first line is the path.
        guard columnCount >= 40 else { return }
        for line in lines.dropFirst() { #expect(line.columnCount <= max(columnCount, 43), "\(line)") }
        for line in lines where line.contains("▒▒") { #expect(line.columnCount > columnCount - 16, "\(line)") }
    }

    @Test func `without color a map has no escape sequences, and a symbol for each kind`() {
        let text = drawn(["--color", "never"]).joined(separator: "\n")
        #expect(!text.contains("\u{1B}"))
        for symbol in ["H", "K", "D", "▒", "█"] { #expect(text.contains("\n  \(symbol)  "), "\(symbol)") }
    }

    @Test func `damage is red`() throws {
        try flip(400)
        let text = drawn(["--color", "always"]).joined(separator: "\n")
        #expect(text.contains("\u{1B}[1;7;31m!!!"))
        #expect(text.contains("\u{1B}[1;7;31m!\u{1B}[0m  keybag"))
        #expect(!drawn(["--color", "never"]).joined().contains("\u{1B}"))
    }

    // MARK: - Picture

    @Test(.enabled(if: PythonOracle.isExpected, "Python is not installed"))
    func `a picture names the file without its directory, and each part with its size`() throws {
        let texts = try picture().texts
        #expect(texts.contains("The file of the vault it's <a> & \\\"b\\\".coffer"))
        #expect(!texts.contains { $0.contains(sample.home.path) })
        for name in ["header", "keybag", "directory", "sections"] {
            #expect(texts.count { $0 == name } == 2, "\(name)")
        }
        #expect(texts.contains("320 bytes"))
    }

    @Test(.enabled(if: PythonOracle.isExpected, "Python is not installed"))
    func `a picture shows damage in red`() throws {
        #expect(try !picture().source.contains("class=\"damage\""))
        try flip(400)
        let picture = try picture()
        #expect(picture.source.contains("<rect class=\"damage\""))
        #expect(picture.source.contains(".damage { fill: #cf222e; }"))
        #expect(picture.texts.contains { $0.hasPrefix("keybag, damaged: bytes 320 to ") })
        #expect(picture.texts.contains { $0.hasPrefix("the keys of the vault are damaged at byte 320") })
    }

    @Test func `a picture has colors for light and dark pages`() throws {
        let path = sample.home.appending(path: "map.svg").path
        #expect(sample.run("map", vault.path, "--svg", path).status == 0)
        let source = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        let parts = source.components(separatedBy: "@media (prefers-color-scheme: dark)")
        #expect(parts.count == 2)
        for name in [
            "page", "ink", "header", "keybag", "directory", "sections", "frame", "reserve", "unknown", "damage",
        ] {
            for part in parts { #expect(part.contains(".\(name) { fill: #"), "\(name)") }
        }
        #expect(
            !source.contains("http://www.w3.org/1999/xlink") && !source.contains("@import") && !source.contains("url(h")
        )
    }

    // MARK: - Numbers

    private struct JSONMap: Decodable {
        struct Part: Decodable {
            var kind: String
            var offset: Int
            var bytes: Int
            var damaged: Bool
        }
        var bytes: Int
        var parts: [Part]
    }

    @Test func `lines and JSON have the same parts, which are the whole file`() throws {
        let size = try Data(contentsOf: vault).count
        let map = try JSONDecoder().decode(JSONMap.self, from: Data(sample.run("map", vault.path, "--json").output))
        let lines = sample.run("map", vault.path).text.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(map.bytes == size)
        #expect(map.parts.reduce(0) { $0 + $1.bytes } == size)
        #expect(lines.map { $0[0] } == map.parts.map { $0.kind[...] })
        #expect(lines.map { Int($0[1]) } == map.parts.map { $0.offset })
        #expect(lines.map { Int($0[2]) } == map.parts.map { $0.offset + $0.bytes })
        #expect(lines.allSatisfy { $0.count == 4 } && map.parts.allSatisfy { !$0.damaged })
    }

    /// Section 16 of the format.
    @Test func `whatever is shown without a key is said to be not authenticated`() throws {
        for verb in ["inspect", "map"] { #expect(sample.run(verb, "--help").text.contains("authenticated"), "\(verb)") }
        #expect(drawn().contains("Nothing of this is authenticated."))
        let path = sample.home.appending(path: "map.svg").path
        _ = sample.run("map", vault.path, "--svg", path)
        #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8).contains("none of it is authenticated"))
    }
}
