import KeyedArchive

extension Fuzz {
    /// Any keyed archive that the reader accepts must survive being written and read again.
    static func archive(_ input: [UInt8]) {
        checkDictionary(input)
        guard let archive = try? Archive(input, allowing: .any) else { return }
        let written: [UInt8]
        do throws(KeyedArchiveError) {
            written = try archive.encoded()
        } catch .tooManyNodes, .propertyList(.tooManyObjects), .propertyList(.tooLarge) {
            // Shared objects are read once, but written once for each reference.
            return
        } catch {
            preconditionFailure("an archive that was read cannot be written: \(error)")
        }
        guard let again = try? Archive(written, allowing: .any) else {
            preconditionFailure("a written archive is refused")
        }
        precondition(again == archive, "the value changed")
        precondition((try? again.encoded()) == written, "the bytes changed")
    }
}

/// A dictionary must be read from exactly those bytes that writing it gives, though most are read in a shorter way.
private func checkDictionary(_ input: [UInt8]) {
    let read = CanonicalDictionary<ArchiveValue, ArchiveValue>(canonicalArchive: input, limits: .record)
    let value = try? ArchiveValue(archive: input, limits: .record)
    let written = value.flatMap { try? Archive(top: ["root": .reference($0)]).encoded(limits: .record) }
    precondition(read == (written == input ? value?.dictionary : nil), "a dictionary is read in two ways")
}
