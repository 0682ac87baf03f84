/// Any bytes, and any bytes with hashes that fit: what a stranger can put in the place of a vault.
///
/// Nothing but an answer may come of it, and a header and keybag that are read must be written as they were.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    Stranger.offer(input)
    if let mended = Stranger.mended(input) { Stranger.offer(mended) }
    return 0
}
