import KeyedArchive

/// Whatever the reader of binary property lists takes must survive being written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let value = try? PropertyList(binary: input) else { return 0 }
    let written: [UInt8]
    do throws(PropertyListError) {
        written = try value.binaryEncoded()
    } catch .tooManyObjects, .tooLarge {
        // What is shared is read once, and written once for each mention.
        return 0
    } catch {
        preconditionFailure("what was read cannot be written: \(error)")
    }
    guard let again = try? PropertyList(binary: written) else { preconditionFailure("what was written is refused") }
    precondition(again == value, "the value changed")
    precondition((try? again.binaryEncoded()) == written, "the bytes changed")
    return 0
}
