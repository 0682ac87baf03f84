internal import Coffer
internal import CofferBasics
internal import CofferKeyItems
internal import CofferCertificates
internal import Foundation

/// A request whose reference to a certificate, key or identity is replaced by the attributes of that object.
struct RequestWithReference {
    /// The purpose of the reference.
    enum Purpose {
        case addition
        case query
    }

    /// The request; when an identity is added, the request for its certificate.
    private(set) var request: ItemRequest
    /// The request for the key, when an identity is added.
    private(set) var key: ItemRequest?

    /// Reads a request that may contain a reference.
    init(_ dictionary: CFDictionary, for purpose: Purpose) throws(KeychainError) {
        request = ItemRequest(dictionary)
        guard request["v_Ref"] != nil else { return }
        request["v_Ref"] = nil
        var reference: AnyObject?
        dictionary.forEachEntry { key, value in if (key as? NSString) == "v_Ref" { reference = value } }
        do throws(KeychainError) {
            try name(reference, for: purpose)
        } catch {
            wipe()
            throw error
        }
    }

    private mutating func name(_ reference: AnyObject?, for purpose: Purpose) throws(KeychainError) {
        switch reference {
        case let certificate as SecCertificate:
            request = try request.naming(certificate, for: purpose)
        case let key as SecKey:
            request = try request.naming(key, for: purpose)
        case let identity as SecIdentity:
            let (certificate, key) = (identity.certificate, identity.privateKey)
            switch purpose {
            case .addition:
                // Each half has its own class.
                if request["class"] == .string("idnt") { request["class"] = nil }
                self.key = try request.naming(key, for: purpose)
                request = try request.naming(certificate, for: purpose)
            case .query:
                request["class"] = request["class"] ?? .string("idnt")
                request = try request.naming(certificate, for: purpose).naming(key, for: purpose)
            }
        default: throw .invalid(.value(of: "v_Ref"))
        }
    }

    /// Overwrites the copies of data that the requests hold.
    mutating func wipe() {
        request.wipe()
        key?.wipe()
    }
}

extension ItemRequest {
    /// The attributes of a certificate that are derived from its bytes, and so identify it.
    private static let certificateNames: Set<String> = ["ctyp", "cenc", "subj", "issr", "slnr", "skid", "pkhh"]
    /// The attributes of a key that are derived from its bytes.
    private static let keyNames: Set<String> = ["kcls", "klbl", "type", "bsiz", "esiz"]
    /// Further attributes of a key, which differ between systems and so are not used to find it.
    private static let keyUses: Set<String> = [
        "perm", "priv", "modi", "sens", "asen", "extr", "next", "encr", "decr", "drve", "sign", "vrfy", "snrc", "vyrc",
        "wrap", "unwp", "tkid",
    ]

    /// The attributes that identify a key that was stored as data, and so without its label.
    private static let tagNames: Set<String> = ["atag", "crtr", "sdat", "edat"]
    /// The attributes that also identify an item that was stored without identifying attributes.
    ///
    /// Without them, deleting one such item by its reference would delete all of them.
    private static let locationNames: Set<String> = ["agrp", "sync"]

    /// This request with the attributes of `certificate`; values in the request take precedence.
    fileprivate func naming(
        _ certificate: SecCertificate,
        for purpose: RequestWithReference.Purpose
    ) throws(KeychainError) -> ItemRequest {
        var names = Self.certificateNames
        if purpose == .addition { names.insert("labl") }
        let attributes: [String: ItemValue]
        if let found = certificate.attributes {
            attributes = found
            if purpose == .query, found.areEmpty(["issr", "slnr"]) { names.formUnion(Self.locationNames) }
        } else {
            attributes = try Self.attributes(of: certificate, for: purpose)
        }
        var request = adding(attributes, names, class: "cert")
        if purpose == .addition, request[Query.dataKey] == nil { request[Query.dataKey] = .data(certificate.bytes) }
        return request
    }

    /// The attributes of a certificate that does not come from the keychain.
    private static func attributes(
        of certificate: SecCertificate,
        for purpose: RequestWithReference.Purpose
    ) throws(KeychainError) -> [String: ItemValue] {
        let certificate = certificate.certificate
        let attributes: [String: ItemValue]?
        do throws(LibcryptoError) {
            attributes = try purpose == .addition ? certificate.newItemAttributes() : certificate.itemAttributes
        } catch {
            // Without the hash, no private key would ever be found to belong to the certificate.
            throw .unsupportedCondition("v_Ref")
        }
        guard let attributes else { throw .invalid(.value(of: "v_Ref")) }
        return attributes
    }

    /// This request with the attributes of `key`; values in the request take precedence.
    fileprivate func naming(
        _ key: SecKey,
        for purpose: RequestWithReference.Purpose
    ) throws(KeychainError) -> ItemRequest {
        var names = Self.keyNames
        var attributes = key.attributes
        if purpose == .addition || !key.isFromKeychain {
            attributes.merge(key.key.itemAttributes) { found, _ in found }
        }
        // Without it, a certificate would never be found to belong to the key.
        guard key.isFromKeychain || attributes["klbl"] != nil else { throw .unsupportedCondition("v_Ref") }
        if purpose == .addition { names.formUnion(Self.keyUses) }
        if purpose == .query, attributes.areEmpty(["klbl"]) {
            names.formUnion(Self.tagNames.union(Self.locationNames))
        }
        var request = adding(attributes, names, class: "keys")
        if purpose == .addition, request[Query.dataKey] == nil {
            request[Query.dataKey] = .data(key.key.withBytes { Array(copying: $0) })
        }
        return request
    }

    /// This request with those of the attributes that are in `names`.
    private func adding(_ attributes: [String: ItemValue], _ names: Set<String>, class name: String) -> ItemRequest {
        var request = self
        request.values.merge(attributes.filter { names.contains($0.key) }) { own, _ in own }
        request["class"] = request["class"] ?? .string(name)
        return request
    }
}

extension [String: ItemValue] {
    /// Whether all of these attributes are missing or empty.
    fileprivate func areEmpty(_ names: [String]) -> Bool {
        names.allSatisfy { name in self[name].map { $0 == .data([]) } ?? true }
    }
}
