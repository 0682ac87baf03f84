import KeyedArchive

/// Any binary property list that the reader accepts must survive being written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let value = try? PropertyList(binary: input) else { return 0 }
    let written: [UInt8]
    do throws(PropertyListError) {
        written = try value.binaryEncoded()
    } catch .tooManyObjects, .tooLarge {
        // Shared objects are read once, but written once for each reference.
        return 0
    } catch {
        preconditionFailure("a list that was read cannot be written: \(error)")
    }
    guard let again = try? PropertyList(binary: written) else { preconditionFailure("a written list is rejected") }
    precondition(again == value, "the value changed")
    precondition((try? again.binaryEncoded()) == written, "the bytes changed")
    return 0
}
