import KeyedArchive

/// Whatever the reader of XML property lists takes must survive being written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let value = try? PropertyList(xml: input) else { return 0 }
    let written: [UInt8]
    do throws(XMLPropertyListError) {
        written = try value.xmlEncoded()
    } catch  where error.kind == .tooLarge(limit: DecodingLimits.standard.byteCount) {
        // Dense text grows when it is written one element a line.
        return 0
    } catch {
        preconditionFailure("what was read cannot be written: \(error)")
    }
    guard let again = try? PropertyList(xml: written) else { preconditionFailure("what was written is refused") }
    precondition(again == value, "the value changed")
    precondition((try? again.xmlEncoded()) == written, "the bytes changed")
    return 0
}
