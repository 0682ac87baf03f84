/// All that can be told of an identity: of its certificate, and of its key.
struct IdentityDescription: Sendable, Describing {
    let certificate: ItemDescription
    let key: ItemDescription

    /// How Apple's keychain calls the data of the certificate beside those of the key.
    private static let certificateData = "certdata"

    var itemClass: KeychainClass { .identity }
    var data: [UInt8]? { key.data }
    var accompanyingData: [String: [UInt8]] { certificate.data.map { [Self.certificateData: $0] } ?? [:] }

    /// The attributes of both; where both have one, it is the certificate's.
    var values: [String: ItemValue] { key.values.merging(certificate.values) { $1 } }

    var persistentReference: [UInt8] { PersistentReference(.identity, certificate.item).bytes }

    var reference: ItemReference? {
        let attributes = values.merging(accompanyingData.mapValues { .data($0) }) { $1 }
        return ItemReference(itemClass: .identity, attributes: attributes, data: data)
    }
}
