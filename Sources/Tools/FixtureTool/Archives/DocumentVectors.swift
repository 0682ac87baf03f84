/// The vectors for readers of encrypted documents, `Spec/local-persistence.md`, section 5.
enum DocumentVectors {
    static var all: [Vector] {
        [
            success("document", "a document", text: "sesame", name: "note"),
            success("document_name", "a name that is not a valid file name", text: "sesame", name: "h\u{E9}llo/../x"),
            success("document_long", "more than 1,024 bytes", text: String(repeating: "abc", count: 700), name: "long"),
            damaged("document_other_key", "the key of another container") { $0.box.key = zeros(32) },
            damaged("document_other_name", "a document under the name of another") {
                $0.box.associatedData = associatedData("other")
            },
            damaged("document_without_label", "a box of another kind") { $0.box.associatedData = Array("note".utf8) },
            damaged("document_bitflip_nonce", "a changed bit in the nonce") { $0.edit = { $0.flip(8) } },
            damaged("document_bitflip", "a changed bit in the sealed content") { $0.edit = { $0.flip(40) } },
            damaged("document_bitflip_tag", "a changed bit in the tag") { $0.edit = { $0.flip($0.count - 1) } },
            damaged("document_truncated", "64 bytes are missing at the end") { $0.edit = { $0.removeLast(64) } },
            damaged("document_longer", "64 zeros after the box") { $0.edit = { $0 += zeros(64) } },
            damaged("document_one_byte_longer", "a size that is invalid for a box") { $0.edit = { $0.append(0) } },
            damaged("document_without_box", "only the first eight bytes") { $0.edit = { $0 = magic } },
            damaged("document_length_too_long", "a length larger than the box") { SketchBox.lengthTooLong(&$0.box) },
            damaged("document_length_maximal", "the maximum length") { SketchBox.lengthMaximal(&$0.box) },
            damaged("document_one_unit_too_long", "a box with 64 bytes more than it needs") {
                SketchBox.oneUnitTooLong(&$0.box)
            },
            damaged("document_padding_not_zero", "padding that is not zero") { SketchBox.paddingNotZero(&$0.box) },
            damaged("document_no_archive", "the opened content is not an archive") {
                $0.box.content = Array("no archive".utf8)
            },
            damaged("document_empty", "the opened content is empty") { $0.box.content = [] },
        ]
    }

    private static let magic: [UInt8] = [0x89, 0x43, 0x4F, 0x46, 0x44, 0x0D, 0x1A, 0x0A]

    private static func associatedData(_ name: String) -> [UInt8] { label("document") + Array(name.utf8) }

    /// A document in which everything can be made wrong.
    private struct Sketch {
        let randomness: Randomness
        var box: SketchBox
        /// Changes the file.
        var edit: (inout [UInt8]) -> Void = { _ in }

        var bytes: [UInt8] {
            var bytes = magic + box.sealed(randomness)
            edit(&bytes)
            return bytes
        }
    }

    private static func vector(
        _ vector: String,
        _ expect: String,
        _ comment: String,
        text: String = "sesame",
        name: String = "note",
        _ settings: [(key: String, value: String)] = [],
        _ edit: (inout Sketch) -> Void = { _ in }
    ) -> Vector {
        let randomness = Randomness(seed: vector)
        let key = randomness.bytes(32, "key")
        let archive = AppleArchiver.archive(.string(text)).propertyList
        var sketch = Sketch(randomness: randomness, box: SketchBox(key, associatedData(name), archive))
        edit(&sketch)
        let lines = [("key-hex", key.hex), ("name-hex", Array(name.utf8).hex)] + settings
        return Vector(name: vector, outcome: .verdict(expect), settings: lines, comment: comment, body: sketch.bytes)
    }

    private static func success(_ name: String, _ comment: String, text: String, name document: String) -> Vector {
        vector(name, "success", comment, text: text, name: document, [("value", "\"\(text)\"")])
    }

    private static func damaged(_ name: String, _ comment: String, _ edit: (inout Sketch) -> Void) -> Vector {
        vector(name, "damaged", comment, [], edit)
    }
}
