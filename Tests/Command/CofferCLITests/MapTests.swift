import CofferScreen
import Coffer
import CofferCLI
import Foundation
import TestSupport
import Testing

/// How `coffer status --map` divides a file into cells.
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
}

/// What `coffer status --map` prints.
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
    }
}
