import KeyedArchive
import TestSupport
import Testing

@Suite("Vectors") struct VectorTests {
    @Test(arguments: try Vector.all(in: "plist"))
    func `every binary property list vector gives the stated result`(vector: Vector) throws {
        let outcome: String
        do throws(PropertyListError) {
            let value = try PropertyList(binary: vector.bytes)
            #expect(vector.expectation == .success)
            #expect((try value.binaryEncoded() == vector.bytes) == vector.isCanonical)
            #expect(try PropertyList(binary: value.binaryEncoded()) == value)
            outcome = value.notation
        } catch {
            #expect(vector.expectation == (error.exceedsLimit ? .limitExceeded : .malformed))
            outcome = errorNotation(error)
        }
        #expect(outcome == vector.value ?? vector.error)
    }

    @Test(arguments: try Vector.all(in: "archive"))
    func `every keyed archive vector gives the stated result`(vector: Vector) throws {
        let classes = AllowedClasses.named(CanonicalSet(vector.classes))
        let outcome: String
        do throws(KeyedArchiveError) {
            let value = try ArchiveValue(archive: vector.bytes, allowing: classes)
            #expect(vector.expectation == .success)
            #expect((try value.archived() == vector.bytes) == vector.isCanonical)
            #expect(try ArchiveValue(archive: value.archived(), allowing: classes) == value)
            outcome = value.notation
        } catch {
            #expect(vector.expectation == (error.exceedsLimit ? .limitExceeded : .malformed))
            outcome = errorNotation(error)
        }
        #expect(outcome == vector.value ?? vector.error)
    }

    @Test(arguments: try Vector.all(in: "xml"))
    func `every XML property list vector gives the stated result`(vector: Vector) throws {
        let outcome: String
        do throws(XMLPropertyListError) {
            let value = try PropertyList(xml: vector.bytes)
            #expect(vector.expectation == .success)
            #expect((try value.xmlEncoded() == vector.bytes) == vector.isCanonical)
            #expect(try PropertyList(xml: value.xmlEncoded()) == value)
            outcome = value.notation
        } catch {
            #expect(vector.expectation == (error.exceedsLimit ? .limitExceeded : .malformed))
            outcome = errorNotation(error)
        }
        #expect(outcome == vector.value ?? vector.error)
    }
}
