extension OpenFile {
    /// Returns the bytes in `range`, or fewer if the file ends before.
    package func bytes(in range: Range<Int>) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var span = bytes.mutableSpan
        let byteCount = try read(filling: &span, at: range.lowerBound)
        bytes.removeSubrange(byteCount...)
        return bytes
    }

    /// Reads until `buffer` is full or the file ends, and returns the byte count.
    package func read(filling buffer: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        var byteCount = 0
        while byteCount < buffer.count {
            var rest = buffer._mutatingExtracting(byteCount...)
            do throws(FileError) {
                let readByteCount = try read(into: &rest, at: offset + byteCount)
                guard readByteCount > 0 else { return byteCount }
                byteCount += readByteCount
            } catch  where error.reason == .interrupted {
                continue
            }
        }
        return byteCount
    }

    /// Writes all of `bytes`.
    ///
    /// After an error, some of them may have been written.
    package func writeAll(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
        var byteCount = 0
        while byteCount < bytes.count {
            do throws(FileError) {
                let writtenByteCount = try write(bytes.extracting(byteCount...), at: offset + byteCount)
                guard writtenByteCount > 0 else { throw FileError(.write, path, reason: .diskFull) }
                byteCount += writtenByteCount
            } catch  where error.reason == .interrupted {
                continue
            }
        }
    }
}
