internal import CofferBasics

extension PropertyListError: CustomStringConvertible {
    /// What is wrong and where, in one sentence.
    public var description: String {
        switch self {
        case .tooLarge(let byteCount, let limit): "the file has \(byteCount) bytes, more than the \(limit) allowed"
        case .notABinaryPropertyList: "this is not a binary property list"
        case .unsupportedVersion(let major, let minor):
            "this is a binary property list of version \(String(versionBytes: [major, minor])), and only 00 is read"
        case .tooShort(let byteCount): "\(byteCount) bytes are too few for a binary property list"
        case .invalidTrailer(let field): "the trailer is wrong: \(field)"
        case .tooManyObjects(let count, let limit): "there are \(count) objects, more than the \(limit) allowed"
        case .objectOffsetOutOfBounds(let object): "object \(object) does not lie among the objects of the file"
        case .truncated(let offset): "the object at byte \(offset) reaches beyond the objects of the file"
        case .unknownMarker(let marker, let offset):
            "the object at byte \(offset) begins with the unknown marker 0x\(String(marker, radix: 16))"
        case .invalidCount(let offset): "the object at byte \(offset) has an impossible count"
        case .overlappingObjects(let offset): "the text or data at byte \(offset) lies on top of others"
        case .invalidString(let offset): "the text at byte \(offset) is not valid"
        case .uidOutOfRange(let offset): "the reference at byte \(offset) does not fit in 32 bits"
        case .referenceOutOfRange(let offset): "the reference at byte \(offset) leads to no object"
        case .keyIsNotAString(let offset): "the key at byte \(offset) is not a string"
        case .duplicateKey(let offset): "the dictionary at byte \(offset) has a key twice"
        case .duplicateElement(let offset): "the set at byte \(offset) has an element twice"
        case .cycle(let offset): "the object at byte \(offset) holds itself"
        case .tooDeep(let limit): "values lie more than \(limit) deep in one another"
        case .tooManyNodes(let limit): "there are more than \(limit) values, counting shared ones each time"
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
        case .offsetTableOffset: "the place of the offset table"
        }
    }
}

extension String {
    /// The version of a file, with everything but printable ASCII escaped.
    fileprivate init(versionBytes bytes: [UInt8]) {
        self = String(decoding: bytes, as: UTF8.self).printable
    }
}
