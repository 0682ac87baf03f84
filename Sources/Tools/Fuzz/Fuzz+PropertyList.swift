import KeyedArchive

extension Fuzz {
    /// Any binary property list that the reader accepts must survive being written and read again.
    static func propertyList(_ input: [UInt8]) {
        guard let value = try? PropertyList(binary: input) else { return }
        let written: [UInt8]
        do throws(PropertyListError) {
            written = try value.binaryEncoded()
        } catch .tooManyObjects, .tooLarge {
            // Shared objects are read once, but written once for each reference.
            return
        } catch {
            preconditionFailure("a list that was read cannot be written: \(error)")
        }
        guard let again = try? PropertyList(binary: written) else { preconditionFailure("a written list is rejected") }
        precondition(again == value, "the value changed")
        precondition((try? again.binaryEncoded()) == written, "the bytes changed")
    }

    /// Any XML property list that the reader accepts must survive being written and read again.
    static func xmlPropertyList(_ input: [UInt8]) {
        guard let value = try? PropertyList(xml: input) else { return }
        let written: [UInt8]
        do throws(XMLPropertyListError) {
            written = try value.xmlEncoded()
        } catch  where error.kind == .tooLarge(limit: DecodingLimits.standard.byteCount) {
            // Dense text grows when it is written with one element per line.
            return
        } catch {
            preconditionFailure("a list that was read cannot be written: \(error)")
        }
        guard let again = try? PropertyList(xml: written) else { preconditionFailure("a written list is rejected") }
        precondition(again == value, "the value changed")
        precondition((try? again.xmlEncoded()) == written, "the bytes changed")
    }
}
