import CofferPasswordFiles
import Testing

@Suite("Records of password files") struct RecordTests {
    @Test func `a record has no secret unless its file has one`() {
        #expect(PasswordRecord(at: "row 2").secret == nil)
    }
}
