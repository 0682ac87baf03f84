/// Everything that an answer can contain about an identity: its certificate and its key.
struct IdentityDescription: Sendable, AnswerSource {
    let certificate: ItemDescription
    let key: ItemDescription

    /// Apple's name for the data of the certificate, next to the data of the key.
    private static let certificateData = "certdata"

    var itemClass: KeychainClass { .identity }
    var data: [UInt8]? { key.data }
    var accompanyingData: [String: [UInt8]] { certificate.data.map { [Self.certificateData: $0] } ?? [:] }

    /// The attributes of both; if both have an attribute, the certificate's value is used.
    var values: [String: ItemValue] { key.values.merging(certificate.values) { $1 } }

    var persistentReference: [UInt8] { PersistentReference(.identity, certificate.item).bytes }

    var reference: ItemReference? {
        let attributes = values.merging(accompanyingData.mapValues { .data($0) }) { $1 }
        return ItemReference(
            itemClass: .identity,
            attributes: attributes,
            data: key.readData?.bytes,
            usageControl: key.usageControl
        )
    }
}
