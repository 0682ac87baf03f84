/// The classes of items, with their properties from section 9.
enum SketchItemClass: UInt8 {
    case genp = 1
    case inet, cert, keys

    /// The first part of the list of section 9.3.
    var keyAttributes: [String] {
        switch self {
        case .genp: ["acct", "svce"]
        case .inet: ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"]
        case .cert: ["ctyp", "issr", "slnr"]
        case .keys: ["kcls", "klbl", "atag", "crtr", "type", "bsiz", "esiz", "sdat", "edat"]
        }
    }

    /// The attribute whose digest begins that of the primary key.
    var leadingAttribute: String {
        switch self {
        case .genp: "svce"
        case .inet: "srvr"
        case .cert: "issr"
        case .keys: "klbl"
        }
    }

    static let commonKeyAttributes = ["sync", "vwht", "tkid", "musr", "ggrp"]
}

/// An item.
struct SketchItem {
    var id: [UInt8]
    var itemClass = SketchItemClass.genp
    var attributes: [String: AppleValue]
    var secret: SketchSecret?
    var key: SketchDataKey
    var revision: UInt64 = 1
    /// The creation order.
    var order: UInt64 = 0
    /// Replacements for the salt, the writer and the place of the revision.
    var salt: [UInt8]?
    var writer: [UInt8]?
    var place: UInt64?
    /// In a section, the number of the dictionary that the metadata are deflated with; 0 if they are not.
    var dictionary: UInt16 = 0
    /// In a past leaf, the transaction that ended the revision.
    var ended: UInt64 = 0

    /// The transaction that wrote the revision, as its place says.
    var sequence: UInt64 { (place ?? order) >> 20 }
    /// When the revision was written first.
    var written: UInt64 { SketchFrame.time(of: sequence) }

    /// Returns the next revision of the item, with changed values.
    func revised(_ changes: [String: AppleValue] = [:], secret: String? = nil) -> SketchItem {
        var item = self
        item.revision += 1
        (item.salt, item.writer, item.place) = (nil, nil, nil)
        item.attributes.merge(changes) { $1 }
        if let secret { item.secret = .data(Array(secret.utf8)) }
        return item
    }

    /// Returns the item as the transaction `sequence` added it.
    func added(by sequence: UInt64, number: UInt64 = 0) -> SketchItem {
        var item = self
        item.order = sequence << 20 + number
        return item
    }
}

extension VaultSketch {
    /// Returns a generic password of the account `name`.
    func item(_ name: String, key: SketchDataKey? = nil, secret: String? = "sesame") -> SketchItem {
        item(
            name,
            .genp,
            [
                "acct": .string(name), "cdat": .date(600_000_000.25), "mdat": .date(600_000_000.25),
                "svce": .string("mail.example.com"),
            ],
            key: key,
            secret: secret.map { .data(Array($0.utf8)) }
        )
    }

    func item(
        _ name: String,
        _ itemClass: SketchItemClass,
        _ attributes: [String: AppleValue],
        key: SketchDataKey? = nil,
        secret: SketchSecret? = .data(Array("sesame".utf8))
    ) -> SketchItem {
        SketchItem(
            id: randomness.bytes(16, "item id \(name)"),
            itemClass: itemClass,
            attributes: attributes,
            secret: secret,
            key: key ?? dataKey()
        )
    }

    func salt(of item: SketchItem) -> [UInt8] {
        item.salt ?? randomness.bytes(8, "revision salt \(item.id.hex) \(item.revision)")
    }

    var nextSequence: UInt64 { baseSequence + UInt64(frames.count) + 1 }

    /// Appends a transaction that adds `items`, and returns them with their creation order.
    @discardableResult mutating func append(_ items: SketchItem...) -> [SketchItem] {
        let sequence = nextSequence
        let placed = items.enumerated().map { $1.added(by: sequence, number: UInt64($0)) }
        append(placed.map { put($0) })
        return placed
    }

    /// Appends a transaction of `records`.
    mutating func append(_ records: [SketchRecord]) { frames.append(SketchFrame(records)) }

    /// Returns `item` as the next transaction will add it, as record `number`.
    func placed(_ item: SketchItem, number: UInt64 = 0) -> SketchItem {
        item.added(by: nextSequence, number: number)
    }
}
