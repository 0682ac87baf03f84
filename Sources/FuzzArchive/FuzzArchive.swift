import KeyedArchive

/// Whatever the reader of keyed archives takes must survive being written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let archive = try? Archive(input, allowing: .any) else { return 0 }
    let written: [UInt8]
    do throws(KeyedArchiveError) {
        written = try archive.encoded()
    } catch .tooManyNodes, .propertyList(.tooManyObjects), .propertyList(.tooLarge) {
        // What is shared is read once, and written once for each mention.
        return 0
    } catch {
        preconditionFailure("what was read cannot be written: \(error)")
    }
    guard let again = try? Archive(written, allowing: .any) else { preconditionFailure("what was written is refused") }
    precondition(again == archive, "the value changed")
    precondition((try? again.encoded()) == written, "the bytes changed")
    return 0
}
