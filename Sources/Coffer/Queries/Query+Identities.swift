extension Query {
    /// The attributes that a condition on an identity asks of its certificate; all others it asks of the key.
    private static let certificateNames: Set<AttributeName> = [
        .label, .issuer, .serialNumber, .subjectKeyID, .tokenID, .subject, .certificateType, .certificateEncoding,
        .publicKeyHash,
    ]

    /// What a request for identities asks of their certificates.
    var certificatePart: Query {
        var part = Query(.certificate)
        part.attributes = attributes.filter { Self.certificateNames.contains($0.key) }
        part.persistentReference = persistentReference
        // Whether an identity is synchronizable, its key says.
        part.synchronizability = .any
        return part
    }

    /// What a request for identities asks of their keys.
    var keyPart: Query {
        var part = Query(.key)
        part.attributes = attributes.filter { !Self.certificateNames.contains($0.key) }
        part.computed = computed
        part.foreign = foreign
        part.accessibility = accessibility
        part.synchronizability = persistentReference != nil && synchronizability == .unsaid ? .any : synchronizability
        return part
    }
}
