import KeyedArchive

/// Any XML property list that the reader accepts must survive being written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let value = try? PropertyList(xml: input) else { return 0 }
    let written: [UInt8]
    do throws(XMLPropertyListError) {
        written = try value.xmlEncoded()
    } catch  where error.kind == .tooLarge(limit: DecodingLimits.standard.byteCount) {
        // Dense text grows when it is written with one element per line.
        return 0
    } catch {
        preconditionFailure("a list that was read cannot be written: \(error)")
    }
    guard let again = try? PropertyList(xml: written) else { preconditionFailure("a written list is rejected") }
    precondition(again == value, "the value changed")
    precondition((try? again.xmlEncoded()) == written, "the bytes changed")
    return 0
}
