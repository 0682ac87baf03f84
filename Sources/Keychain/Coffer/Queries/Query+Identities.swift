extension Query {
    /// The attributes of an identity that are compared with its certificate; all others are compared with its key.
    private static let certificateNames: Set<AttributeName> = [
        .label, .issuer, .serialNumber, .subjectKeyID, .tokenID, .subject, .certificateType, .certificateEncoding,
        .publicKeyHash,
    ]

    /// The part of a request for identities that is about the certificates.
    var certificatePart: Query {
        var part = Query(.certificate)
        part.attributes = attributes.filter { Self.certificateNames.contains($0) }
        part.persistentReference = persistentReference
        // The key decides whether an identity is synchronizable.
        part.synchronizability = .any
        return part
    }

    /// The part of a request for identities that is about the keys.
    var keyPart: Query {
        var part = Query(.key)
        part.attributes = attributes.filter { !Self.certificateNames.contains($0) }
        part.computed = computed
        part.foreign = foreign
        part.accessibility = accessibility
        let isOpen = persistentReference != nil && synchronizability == .unspecified
        part.synchronizability = isOpen ? .any : synchronizability
        return part
    }
}
