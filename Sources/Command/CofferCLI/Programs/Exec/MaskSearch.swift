/// Looks for secrets among the units of one form: bytes of text, letters of base64 or hexadecimal digits.
struct MaskSearches {
    /// The range of the secrets that ended with the last byte, if any did.
    private(set) var found: Range<Int>?
    private var searches: [MaskSearch]

    init(_ searches: [MaskSearch]) {
        self.searches = searches
    }

    /// Prepares for the next byte.
    mutating func begin() { found = nil }

    /// Takes the next unit, which extends from `start` to `offset`.
    mutating func take(_ unit: UInt8, from start: Int, to offset: Int) {
        for index in searches.indices {
            guard let place = searches[index].take(unit, from: start, to: offset) else { continue }
            found = min(found?.lowerBound ?? place, place)..<offset + 1
        }
    }

    /// Skips a byte between two units.
    mutating func pass(isLineEnd: Bool, at offset: Int) {
        for index in searches.indices { searches[index].pass(isLineEnd: isLineEnd, at: offset) }
    }

    /// Starts over: the next unit does not continue the last one.
    mutating func stop() {
        for index in searches.indices { searches[index].stop() }
    }

    /// The start of the first partial match that may continue after `offset`.
    func heldStart(at offset: Int) -> Int? {
        searches.compactMap { $0.heldStart(at: offset) }.min()
    }
}

/// Looks for one secret among the units of one form.
struct MaskSearch {
    /// How many bytes may lie between two units.
    ///
    /// They are indentation or separators. Without a limit, output could be held back forever.
    private static let gapByteCountLimit = 256

    private let needle: MaskNeedle
    /// How many symbols of the needle a unit has.
    private let symbolsPerUnit: Int
    /// How many symbols must match before the end of a line is held back.
    ///
    /// Ordinary lines often end with a letter that could begin a secret in base64.
    private let leastSymbolCountAtLineEnd: Int

    /// How many of the last symbols are the beginning of the needle.
    private var length = 0
    private var unitCount = 0
    /// A ring buffer of the offsets at which the last units begin, as many as the needle can span.
    private var starts: [UInt32]
    /// The first offset that may be hidden.
    private var floor = 0
    /// The end of the last occurrence.
    private var coveredEnd = 0
    private var gapByteCount = 0

    init(_ needle: MaskNeedle, symbolsPerUnit: Int = 1, leastSymbolCountAtLineEnd: Int = 0) {
        self.needle = needle
        self.symbolsPerUnit = symbolsPerUnit
        self.leastSymbolCountAtLineEnd = leastSymbolCountAtLineEnd
        starts = Array(repeating: 0, count: needle.count / symbolsPerUnit + 2)
    }

    /// Takes the next unit; returns where to start hiding if it completes a secret.
    mutating func take(_ unit: UInt8, from start: Int, to offset: Int) -> Int? {
        if length == 0, symbolsPerUnit == 1, unit != needle.first { return nil }
        starts[unitCount % starts.count] = UInt32(truncatingIfNeeded: start)
        unitCount += 1
        var found: Int?
        for index in 0..<symbolsPerUnit {
            let symbol = symbolsPerUnit == 1 ? unit : unit >> UInt8(2 * (symbolsPerUnit - 1 - index)) & 3
            switch needle.advance(&length, over: symbol) {
            case .ignored:
                unitCount -= 1
                pass(isLineEnd: false, at: offset)
                return nil
            case .taken: break
            case .found:
                let symbolCount = (unitCount - 1) * symbolsPerUnit + index + 1
                found = found ?? self.start(ofSymbol: symbolCount - needle.count, at: offset)
            }
        }
        gapByteCount = 0
        guard let found else { return nil }
        // If occurrences overlap, do not cover their common bytes again: long output would take far too long.
        let rest = max(found, coveredEnd)
        coveredEnd = offset + 1
        return rest
    }

    mutating func pass(isLineEnd: Bool, at offset: Int) {
        guard length > 0 else { return }
        gapByteCount += 1
        if gapByteCount > Self.gapByteCountLimit { return stop() }
        if isLineEnd, length < leastSymbolCountAtLineEnd { floor = offset + 1 }
    }

    mutating func stop() {
        length = 0
        gapByteCount = 0
    }

    func heldStart(at offset: Int) -> Int? {
        length > 0 ? start(ofSymbol: unitCount * symbolsPerUnit - length, at: offset) : nil
    }

    /// The start of the first unit without a symbol before `symbol`; the position after `offset` if there was no such unit yet.
    private func start(ofSymbol symbol: Int, at offset: Int) -> Int {
        let unit = (symbol + symbolsPerUnit - 1) / symbolsPerUnit
        guard unit < unitCount else { return offset + 1 }
        let distance = UInt32(truncatingIfNeeded: offset) &- starts[unit % starts.count]
        return max(floor, offset - Int(distance))
    }
}
