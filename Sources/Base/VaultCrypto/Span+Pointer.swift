// libsodium declares most of its pointers as never null, but the base address of an empty span is null.

extension Span<UInt8> {
    /// Calls `body` with the address of the bytes, which is never null, and their count.
    func withPointer<Result, Failure: Error>(
        _ body: (UnsafePointer<UInt8>, Int) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
            if let address = buffer.baseAddress { return try unsafe body(address, buffer.count) }
            // The count says that nothing may be read here.
            var nothing: UInt8 = 0
            return try unsafe withUnsafePointer(to: &nothing) { address throws(Failure) in
                try unsafe body(address, 0)
            }
        }
    }
}

extension MutableSpan<UInt8> {
    /// Calls `body`, which may change the bytes, with their address, which is never null, and their count.
    mutating func withMutablePointer<Result, Failure: Error>(
        _ body: (UnsafeMutablePointer<UInt8>, Int) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeMutableBufferPointer { buffer throws(Failure) in
            if let address = buffer.baseAddress { return try unsafe body(address, buffer.count) }
            // The count says that nothing may be read or written here.
            var nothing: UInt8 = 0
            return try unsafe withUnsafeMutablePointer(to: &nothing) { address throws(Failure) in
                try unsafe body(address, 0)
            }
        }
    }
}
