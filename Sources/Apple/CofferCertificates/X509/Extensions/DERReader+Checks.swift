// The extensions that are checked for their form and not used otherwise.

extension DERReader {
    mutating func checkDistributionPoints() throws(CertificateError) {
        var list = try enter()
        _ = try list.readList { (list) throws(CertificateError) in
            var point = try list.enter()
            let start = point.offset
            let name = try point.readIfPresent(.contextConstructed(0))
            _ = try point.readIfPresent(.context(1))
            let issuer = try point.readIfPresent(.contextConstructed(2))
            try point.expectEnd()
            guard name != nil || issuer != nil else { throw CertificateError(.missingElement, at: start) }
            if let name {
                var choice = DERReader(point.bytes, in: name.content)
                if choice.nextTag == .contextConstructed(0) {
                    var names = try choice.enter(.contextConstructed(0))
                    try names.checkGeneralNames()
                } else {
                    // A name relative to the issuer's.
                    _ = try choice.read(.contextConstructed(1))
                }
            }
            if let issuer {
                var names = DERReader(point.bytes, in: issuer.content)
                try names.checkGeneralNames()
            }
        }
    }

    private mutating func checkGeneralNames() throws(CertificateError) {
        while !isAtEnd { _ = try GeneralName(from: &self) }
    }

    mutating func checkCertificatePolicies() throws(CertificateError) {
        var list = try enter()
        _ = try list.readList { (list) throws(CertificateError) in
            var policy = try list.enter()
            _ = try policy.readOID()
            _ = try policy.readIfPresent(.sequence)
            try policy.expectEnd()
        }
    }

    mutating func checkPolicyMappings() throws(CertificateError) {
        var list = try enter()
        _ = try list.readList { (list) throws(CertificateError) in
            var mapping = try list.enter()
            _ = try mapping.readOID()
            _ = try mapping.readOID()
            try mapping.expectEnd()
        }
    }

    mutating func checkPolicyConstraints() throws(CertificateError) {
        var fields = try enter()
        _ = try fields.readInteger(.context(0))
        _ = try fields.readInteger(.context(1))
        try fields.expectEnd()
    }

    mutating func checkInhibitAnyPolicy() throws(CertificateError) {
        let start = offset
        guard try readInteger() != nil else { throw CertificateError(.unexpectedTag, at: start) }
    }

    mutating func checkInformationAccess() throws(CertificateError) {
        var list = try enter()
        _ = try list.readList { (list) throws(CertificateError) in
            var access = try list.enter()
            let method = try access.readOID()
            let isKnown = method == [1, 3, 6, 1, 5, 5, 7, 48, 1] || method == [1, 3, 6, 1, 5, 5, 7, 48, 2]
            _ = isKnown ? try access.read(.context(GeneralName.Kind.uri.rawValue)) : try access.read()
            try access.expectEnd()
        }
    }
}
