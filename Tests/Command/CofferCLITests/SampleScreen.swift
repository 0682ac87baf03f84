import CofferBasics
import CofferScreen
import CommandSystem
import TestSupport
import VaultFiles

/// A terminal for the whole screen, at which these keys are pressed, and which keeps what it has displayed before each.
final class SampleScreen: ScreenTerminal {
    /// What happens next.
    enum Step {
        case keys(String)
        /// Time passes without input.
        case wait(seconds: Int)
        case resize(columns: Int, rows: Int)
        /// Another program does something.
        case other(() -> Void)
        case signal(Int32)
    }

    private(set) var size: ScreenSize
    let path = "/dev/pts/sample"
    /// The screens, one before each step.
    private(set) var screens: [String] = []
    private(set) var farewell: [UInt8] = []
    /// Everything that was written.
    private(set) var written: [UInt8] = []
    private var steps: ArraySlice<Step>
    private let time: ManualTime
    private var cells: [[String]]
    private var cursor = (column: 0, row: 0)

    init(columns: Int, rows: Int, time: ManualTime, _ steps: [Step]) {
        size = ScreenSize(columns: columns, rows: rows)
        self.time = time
        self.steps = steps[...]
        cells = Self.blank(size)
    }

    /// What is displayed after all steps.
    var last: String { screens.last ?? "" }

    private static func blank(_ size: ScreenSize) -> [[String]] {
        Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
    }

    func read(into buffer: inout MutableSpan<UInt8>, within timeout: Duration) throws(FileError) -> ScreenInput {
        // Only looks whether there are keys.
        if timeout == .zero { return .nothing }
        screens.append(cells.map { $0.joined() }.joined(separator: "\n"))
        switch steps.popFirst() {
        case nil: return .end
        case .keys(let keys)?:
            let bytes = Array(keys.utf8)
            for index in bytes.indices { buffer[index] = bytes[index] }
            return .bytes(bytes.count)
        case .wait(let seconds)?: time.advance(nanoseconds: UInt64(seconds) * 1_000_000_000)
        case .resize(let columns, let rows)?:
            size = ScreenSize(columns: columns, rows: rows)
            cells = Self.blank(size)
        case .other(let body)?: body()
        case .signal(let number)?: return .signal(number)
        }
        return .nothing
    }

    func whole<Result>(farewell: [UInt8], _ body: () throws -> Result) throws -> Result {
        self.farewell = farewell
        return try body()
    }

    func suspend() { cells = Self.blank(size) }

    // MARK: - What is displayed

    func write(_ bytes: Span<UInt8>) throws(FileError) {
        let bytes = [UInt8](copying: bytes)
        written += bytes
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while let character = rest.popFirst() {
            guard character == "\u{1B}" else {
                put(character)
                continue
            }
            // Neither an operating system command nor a string of the terminal moves the cursor.
            if rest.first == "]" {
                rest = rest.drop { $0 != "\\" && $0 != "\u{7}" }.dropFirst()
                continue
            }
            let parameters = rest.dropFirst().prefix { !$0.isLetter }
            rest = rest.dropFirst(1 + parameters.count)
            let numbers = parameters.split(separator: ";").compactMap { Int($0) }
            switch rest.popFirst() {
            case "H" where numbers.count == 2: cursor = (numbers[1] - 1, numbers[0] - 1)
            case "C": cursor.column += numbers.first ?? 1
            case "J": cells = Self.blank(size)
            default: break
            }
        }
    }

    private func put(_ character: Character) {
        let width = String(character).columnCount
        guard width > 0, cells.indices.contains(cursor.row), cursor.column + width <= size.columns else { return }
        cells[cursor.row][cursor.column] = String(character)
        if width == 2 { cells[cursor.row][cursor.column + 1] = "" }
        cursor.column += width
    }
}
