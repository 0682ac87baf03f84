internal import CofferBasics

extension PropertyListError: CustomStringConvertible {
    /// What is wrong and where, in one sentence.
    public var description: String {
        switch self {
        case .tooLarge(let byteCount, let limit): "file too large: \(byteCount.grouped) bytes (limit \(limit.grouped))"
        case .notABinaryPropertyList: "not a binary property list"
        case .unsupportedVersion(let major, let minor):
            "unsupported binary property list version \(String(versionBytes: [major, minor])): expected 00"
        case .tooShort(let byteCount): "file too short for a binary property list: \(byteCount) bytes"
        case .invalidTrailer(let field): "invalid trailer: \(field)"
        case .tooManyObjects(let count, let limit): "too many objects: \(count.grouped) (limit \(limit.grouped))"
        case .objectOffsetOutOfBounds(let object): "invalid offset: object \(object) is outside the object area"
        case .truncated(let offset): "truncated: the object at byte \(offset) extends beyond the object area"
        case .unknownMarker(let marker, let offset):
            "unknown marker 0x\(String(marker, radix: 16)) in the object at byte \(offset)"
        case .invalidCount(let offset): "invalid count in the object at byte \(offset)"
        case .overlappingObjects(let offset): "the text or data at byte \(offset) overlaps other objects"
        case .invalidString(let offset): "invalid text at byte \(offset)"
        case .uidOutOfRange(let offset): "the reference at byte \(offset) does not fit in 32 bits"
        case .referenceOutOfRange(let offset): "invalid reference at byte \(offset): no such object"
        case .keyIsNotAString(let offset): "the key at byte \(offset) is not a string"
        case .duplicateKey(let offset): "duplicate key in the dictionary at byte \(offset)"
        case .duplicateElement(let offset): "duplicate element in the set at byte \(offset)"
        case .cycle(let offset): "the object at byte \(offset) contains itself"
        case .tooDeep(let limit): "values are nested too deeply (limit \(limit))"
        case .tooManyNodes(let limit): "too many values (limit \(limit.grouped); shared values count each time)"
        }
    }
}

extension PropertyListError.TrailerField: CustomStringConvertible {
    /// What the field holds.
    public var description: String {
        switch self {
        case .offsetByteCount: "the size of an offset"
        case .referenceByteCount: "the size of a reference"
        case .objectCount: "the number of objects"
        case .topObject: "the number of the root object"
        case .offsetTableOffset: "the offset of the offset table"
        }
    }
}

extension String {
    /// Makes the version text of a file, escaping everything except printable ASCII.
    fileprivate init(versionBytes bytes: [UInt8]) {
        self = String(decoding: bytes, as: UTF8.self).printable
    }
}
