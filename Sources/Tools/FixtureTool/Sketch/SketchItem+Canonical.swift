// Canonical values, digests and metadata: sections 8.2, 8.3, 9.2 and 9.3.

private let numbers: Set<String> = [
    "sync", "tomb", "sysb", "pcss", "crtr", "type", "scrp", "invi", "nega", "cusi", "ptcl", "port", "ctyp", "cenc",
    "kcls", "bsiz", "esiz", "perm", "priv", "modi", "sens", "asen", "extr", "next", "encr", "decr", "drve", "sign",
    "vrfy", "snrc", "vyrc", "wrap", "unwp",
]

private let dates: Set<String> = ["cdat", "mdat", "sdat", "edat"]

extension SketchItem {
    /// Returns the canonical value of the attribute `name`, section 9.2.
    func canonicalValue(_ name: String) -> [UInt8] {
        let value = attributes[name]
        if dates.contains(name) {
            guard case .date(let seconds)? = value else { return zeros(8) }
            return u64((seconds == 0 ? 0 : seconds).bitPattern)
        }
        if numbers.contains(name) {
            guard let value else { return [1] + zeros(8) }
            return Self.canonicalNumber(value)
        }
        switch value {
        case .scalar(.string(let text)): return Array(text.utf8)
        case .scalar(.data(let bytes)): return bytes
        case .scalar(.int(let number)): return u32(number)
        default: return []
        }
    }

    private static func canonicalNumber(_ value: AppleValue) -> [UInt8] {
        switch value {
        case .scalar(.int(let number)): return [1] + u64(number)
        case .scalar(.real(let real)):
            if real.rounded() == real, abs(real) <= 9_007_199_254_740_992 { return [1] + u64(Int64(real)) }
            return [2] + u64(real.bitPattern)
        case .scalar(.string(let text)):
            if let number = Int64(text) { return [1] + u64(number) }
            return [3] + Array(text.utf8)
        default: return [1] + zeros(8)
        }
    }

    /// The digest of the primary key: that of the leading attribute, and half of that of the whole.
    var digest: [UInt8] {
        attributeDigest(itemClass.leadingAttribute)
            + SipHash.hash(digestInput, key: key.group.key("digest").prefix(16)).prefix(8)
    }

    /// The input of the second half of the primary key digest.
    var digestInput: [UInt8] {
        var input = [itemClass.rawValue]
        for name in itemClass.keyAttributes + SketchItemClass.commonKeyAttributes {
            let value = canonicalValue(name)
            input += u32(value.count) + value
        }
        return input
    }

    /// The attribute digests after that of the primary key: all but that of the leading attribute.
    var attributeDigests: [[UInt8]] {
        itemClass.keyAttributes.filter { $0 != itemClass.leadingAttribute }.map { attributeDigest($0) }
    }

    private func attributeDigest(_ name: String) -> [UInt8] {
        let input = Array(name.utf8) + canonicalValue(name)
        return Array(SipHash.hash(input, key: key.group.key("digest").suffix(16)).prefix(8))
    }

    /// The flags of section 8.2.
    var flags: UInt8 {
        var flags: UInt8 = 0
        if canonicalValue("sync") != [1] + zeros(8) { flags |= 1 }
        if ["vwht", "tkid", "musr", "ggrp"].contains(where: { !canonicalValue($0).isEmpty }) { flags |= 2 }
        if canonicalValue("tomb") != [1] + zeros(8) { flags |= 4 }
        if case .dictionary(let entries)? = attributes["accc"] {
            for case (_, .scalar(.int(let bits))) in entries where bits != 0 { flags |= 8 }
        }
        return flags
    }

    /// The content of the match box before the hash of the other boxes.
    var matchContent: [UInt8] {
        let digests = attributeDigests.flatMap { $0 }
        return [itemClass.rawValue, flags] + zeros(6) + u64(order) + u64(written) + digest + digests
            + zeros(64 - digests.count)
    }

    /// The metadata of section 8.3.
    var metadata: [UInt8] { canonicalArchive(attributes) }
}

// The canonical dump of items that `Fixtures/README.md` defines.

extension SketchItem {
    /// One line of the dump, without the line end.
    var dumpLine: String {
        let attributes = attributes.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
            .map { "\(quoted($0.key)):\(quoted($0.value.notation))" }
        let members = [
            ("attributes", "{\(attributes.joined(separator: ","))}"),
            ("class", quoted("\(itemClass)")),
            ("group", quoted(key.group.name)),
            ("id", quoted(id.hex)),
            ("order", "\(order)"),
            ("protection", quoted("\(key.protection)")),
            ("revision", "\(revision)"),
            ("secret", secret?.data.map { quoted($0.hex) } ?? "null"),
            ("written", "\(written)"),
        ]
        return "{\(members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ","))}"
    }

    private func quoted(_ text: String) -> String {
        let escapes: [Unicode.Scalar: String] = [
            "\"": "\\\"", "\\": "\\\\", "\u{8}": "\\b", "\t": "\\t", "\n": "\\n", "\u{c}": "\\f", "\r": "\\r",
        ]
        let scalars = text.unicodeScalars.map { scalar in
            escapes[scalar] ?? (scalar.value < 32 ? "\\u00\([UInt8(scalar.value)].hex)" : "\(scalar)")
        }
        return "\"\(scalars.joined())\""
    }
}

extension [SketchItem] {
    /// The dump: one line for each item, ordered by item id.
    var dump: String {
        sorted { $0.id.lexicographicallyPrecedes($1.id) }.map { $0.dumpLine + "\n" }.joined()
    }

    /// The value of `content` in the header of a vector.
    var contentHash: String { Blake2b.hash(32, Array<UInt8>(dump.utf8)).hex }
}

extension AppleValue {
    /// The notation of `Fixtures/README.md`, for the values that attributes can have.
    fileprivate var notation: String {
        switch self {
        case .date(let seconds): return "date(\(seconds))"
        case .dictionary(let entries):
            return "{\(entries.map { "\($0.0.notation): \($0.1.notation)" }.joined(separator: ", "))}"
        case .scalar(.int(let number)): return "\(number)"
        case .scalar(.real(let number)): return "\(number)"
        case .scalar(.data(let bytes)): return "<\(bytes.hex)>"
        case .scalar(.string(let text)):
            let escaped = text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"", "\\": "\\\(scalar)"
                case " "..."~": "\(scalar)"
                default: "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
            return "\"\(escaped.joined())\""
        default: preconditionFailure("no attribute has such a value")
        }
    }
}

// Items of each kind that several vectors use.

extension VaultSketch {
    var internet: SketchItem {
        item(
            "internet",
            .inet,
            [
                "acct": .string("kim"), "atyp": .string("form"), "path": .string("/login"), "port": .int(443),
                "ptcl": .int(1_752_461_675), "srvr": .string("example.com"),
            ]
        )
    }

    var certificate: SketchItem {
        item(
            "certificate",
            .cert,
            [
                "cenc": .int(3), "ctyp": .int(1), "issr": .scalar(.data([0x30, 0x00])), "labl": .string("Root"),
                "pkhh": .scalar(.data(randomness.bytes(20, "public key hash"))), "slnr": .scalar(.data([7])),
                "subj": .scalar(.data([0x30, 0x00])),
            ],
            secret: .data([0x30, 0x03, 0x02, 0x01, 0x07])
        )
    }

    var privateKey: SketchItem {
        item(
            "key",
            .keys,
            [
                "atag": .scalar(.data([1, 2, 3])), "bsiz": .int(256), "kcls": .int(1),
                "klbl": .scalar(.data(randomness.bytes(20, "public key hash"))), "sdat": .date(-0.0),
                "type": .int(73),
            ],
            secret: .data(randomness.bytes(97, "private key"))
        )
    }

    /// An item whose data is sealed with the application password `open`.
    var behindPassword: SketchItem { behindPassword() }

    /// An item whose secret has form 2, around `inner`, with edited bytes after the form.
    func behindPassword(
        inner: [UInt8] = [0] + Array("sesame".utf8),
        mem: UInt32 = 8,
        edit: (inout [UInt8]) -> Void = { _ in }
    ) -> SketchItem {
        var item = item("application password")
        item.attributes["accc"] = .dictionary([(.string("flags"), .int(1 << 31))])
        let parameters = u32(1) + u32(mem) + randomness.bytes(16, "application password salt")
        let data =
            associatedData(itemID: item.id, revision: item.revision, salt: salt(of: item), part: 3) + parameters
        let seed = Primitives.argon2id(Array("open".utf8), Array(parameters[8...]), ops: 1, mem: 8)
        let halves = H(64, seed, "apppass", data)
        var content = parameters + halves[32...] + randomness.sealed(Array(halves[..<32]), data, inner)
        edit(&content)
        item.secret = .raw([2] + content)
        return item
    }
}
