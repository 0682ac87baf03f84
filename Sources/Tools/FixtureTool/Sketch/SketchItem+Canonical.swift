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

    /// The digest of the primary key.
    var digest: [UInt8] { SipHash.hash(digestInput, key: key.group.key("digest").prefix(16)) }

    /// The input of the primary key digest.
    var digestInput: [UInt8] {
        var input = [itemClass.rawValue]
        for name in itemClass.keyAttributes + SketchItemClass.commonKeyAttributes {
            let value = canonicalValue(name)
            input += u32(value.count) + value
        }
        return input
    }

    /// The attribute digests, as many as the class defines.
    var attributeDigests: [[UInt8]] {
        itemClass.keyAttributes.map { name in
            let input = Array(name.utf8) + canonicalValue(name)
            return Array(SipHash.hash(input, key: key.group.key("digest").suffix(16)).prefix(8))
        }
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
        return [itemClass.rawValue, flags] + zeros(6) + u64(order) + digest + digests + zeros(72 - digests.count)
    }

    /// The metadata of section 8.3.
    var metadata: [UInt8] {
        Self.metadata(itemClass.rawValue, columns: columns, archive: canonicalArchive(attributes))
    }

    var columns: [[UInt8]] { itemClass.columns.map { canonicalValue($0) } }

    static func metadata(
        _ itemClass: UInt8,
        reserved: [UInt8] = zeros(3),
        columns: [[UInt8]],
        archive: [UInt8]
    ) -> [UInt8] {
        [itemClass] + reserved + columns.flatMap { u32($0.count) + $0 } + archive
    }
}
