/// Which row of a list is selected, and which rows are visible.
package struct ListWindow: Equatable, Sendable {
    /// How many rows the list has.
    package private(set) var count = 0
    /// How many rows are visible at once.
    package private(set) var height = 0
    /// The first visible row.
    package private(set) var first = 0
    private var index = 0

    package init() {}

    /// The selected row, which is visible; nil if the list is empty.
    package var selected: Int? { count > 0 ? index : nil }
    /// The rows that are visible.
    package var visible: Range<Int> { first..<min(first + height, count) }

    /// Sets how many rows there are and how many of them are visible.
    package mutating func resize(count: Int, height: Int) {
        self.count = max(0, count)
        self.height = max(0, height)
        select(index)
    }

    /// Selects a row, or the nearest one that exists, and scrolls as little as possible to make it visible.
    package mutating func select(_ row: Int) {
        index = min(max(0, row), max(0, count - 1))
        // A window without height follows the selection, too.
        let height = max(1, height)
        first = min(max(first, index - height + 1), index)
        first = min(first, max(0, count - height))
    }

    /// Moves the selection down, or up by a negative number; a page is `height` rows.
    package mutating func move(by rowCount: Int) {
        select(index + min(max(-count, rowCount), count))
    }
}
