import VaultFormat

/// What somebody who has the keys of a vault can write into it: a whole vault, or one part of one.
///
/// Nothing but an answer may come of it, and what is read must be written as it was.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    if input.starts(with: Header.magic) {
        WholeVault(input).check()
    } else if let number = input.first, let part = Part(rawValue: number) {
        part.check(Array(input.dropFirst()))
    }
    return 0
}
