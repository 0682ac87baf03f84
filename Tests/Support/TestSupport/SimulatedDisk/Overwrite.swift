/// A write over bytes that are durable and not zero: if it is interrupted, data that was safe is lost.
package struct Overwrite: Equatable, Sendable {
    /// The number of the call.
    package let call: Int
    package let path: String
    /// The range from the first to the last such byte.
    package let range: Range<Int>
}

extension Trace {
    /// Returns the writes in place, which append-only software does not make, except in files with these names.
    ///
    /// Bytes that were truncated before do not count, nor do zeros, which are a reserve.
    package func overwrites(exceptIn names: Set<String> = []) -> [Overwrite] {
        var image = start
        var found: [Overwrite] = []
        for (index, call) in calls.enumerated() {
            if case .write(let file, let offset, let bytes) = call.change,
                !names.contains(SimulatedDisk.split(call.path).name),
                let range = image.files[file].safeRange(in: offset..<offset + bytes.count)
            {
                found.append(Overwrite(call: index + 1, path: call.path, range: range))
            }
            image.apply(call, number: index + 1)
        }
        return found
    }
}

extension FileImage {
    /// Returns the range from the first to the last byte in `range` that is durable, not zero and still there.
    fileprivate func safeRange(in range: Range<Int>) -> Range<Int>? {
        let common = range.clamped(to: 0..<min(live.count, durable.bytes.count))
        let isSafe = { (offset: Int) in live[offset] != 0 && durable.bytes[offset] != 0 }
        guard let first = common.first(where: isSafe), let last = common.last(where: isSafe) else { return nil }
        return first..<last + 1
    }
}
