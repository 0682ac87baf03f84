/// Runs the store on a vault whose log or runs were written by an insider with all keys.
///
/// Nothing may crash, hang or take much memory, and what can be read before a compaction or a salvage can be read after it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        let insider = try Insider.shared.get()
        try insider.offer(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        preconditionFailure("the fuzzer's own vault cannot be made: \(error)")
    }
    return 0
}
