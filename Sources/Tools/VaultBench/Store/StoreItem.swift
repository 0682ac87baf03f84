import Foundation
import KeyedArchive
import VaultFormat

/// A generic password as applications use them, the same for every store that is measured.
struct StoreItem {
    static let itemsPerService = 4
    static let secretByteCount = 64

    let number: Int
    let account: String
    let service: String
    let label: String
    let comment: String
    let created: Double
    let modified: Double
    let secret: [UInt8]

    /// Makes item `number`: names of realistic length, four items for each service.
    init(_ number: Int) {
        self.number = number
        let serviceNumber = number / Self.itemsPerService
        account = "\(["kim", "alex", "sam", "robin"][number % 4]).\(number)@example.com"
        service = "com.example.service-\(serviceNumber)"
        label = "Example \(serviceNumber): \(number)"
        comment = "application password"
        created = 780_000_000 + Double(number) * 37.25
        modified = created + 86_400 * Double(number % 300)
        // Incompressible, but the same in each run.
        var state = UInt64(truncatingIfNeeded: number)
        secret = (0..<Self.secretByteCount).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// Returns the attributes of the item, everything in a vault except its secret.
    func attributes() throws -> ItemAttributes {
        try ItemAttributes(
            .genericPassword,
            [
                "acct": .string(account),
                "svce": .string(service),
                "labl": .string(label),
                "icmt": .string(comment),
                "cdat": .date(secondsSinceReferenceDate: created),
                "mdat": .date(secondsSinceReferenceDate: modified),
            ]
        )
    }

    /// Returns the attributes that identify the item.
    func primaryKey() throws -> ItemAttributes {
        try ItemAttributes(.genericPassword, ["acct": .string(account), "svce": .string(service)])
    }
}

/// An item in the form that a store accepts, prepared before the clock starts.
///
/// A class, since to copy a structure of this size would count as time of the store.
final class PreparedItem: Sendable {
    let item: StoreItem
    let attributes: ItemAttributes
    let primaryKey: ItemAttributes
    let account: [UInt8]
    let service: [UInt8]

    init(_ number: Int) throws {
        item = StoreItem(number)
        attributes = try item.attributes()
        primaryKey = try item.primaryKey()
        account = Array(item.account.utf8)
        service = Array(item.service.utf8)
    }
}
