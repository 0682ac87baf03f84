internal import CofferBasics
package import VaultCrypto

/// The beginning of a vault file, read without a key: header, keybag and the sealed directory.
///
/// Copies of an open vault share it.
package final class VaultPrelude: Sendable {
    package let header: Header
    package let headerBytes: [UInt8]
    package let keybag: Keybag
    /// The sealed directory; its hash has not been checked yet.
    package let directoryBox: [UInt8]

    /// Reads header, keybag and directory, and checks the hash of the keybag.
    ///
    /// The directory's hash is checked after the MAC of the header, in the order of section 4.2.
    package init(of source: some ByteSource) throws(VaultFormatError) {
        headerBytes = try source.read(0..<min(source.byteCount, Header.byteCount))
        header = try Header(parsing: headerBytes, fileByteCount: source.byteCount)
        keybag = try Self.keybag(of: source, header: header)
        directoryBox = try source.read(header.directoryRange)
    }

    /// The keybag, after its hash has been checked.
    static func keybag(of source: some ByteSource, header: Header) throws(VaultFormatError) -> Keybag {
        let bytes = try source.read(header.keybagRange)
        guard Label.file.isHash(header.keybagHash, of: bytes) else {
            throw .keybagFailure(.hashDiffers, offset: header.keybagRange.lowerBound)
        }
        return try Keybag(parsing: bytes, fileOffset: header.keybagRange.lowerBound)
    }

    /// Throws unless `directoryBox` has the hash in `header`.
    static func checkDirectory(_ directoryBox: [UInt8], header: Header) throws(VaultFormatError) {
        guard Label.file.isHash(header.directoryHash, of: directoryBox) else {
            throw .snapshotFailure(.hashDiffers, offset: header.directoryRange.lowerBound)
        }
    }
}

extension VaultPrelude {
    /// Throws unless the owner of the vault wrote the header, and signed it if the vault has grants.
    func checkHeader(ownerKey: Key) throws(VaultFormatError) {
        guard Header.isAuthentic(headerBytes, key: ownerKey) else {
            throw .headerFailure(.notAuthentic, offset: Header.macOffset)
        }
        // The MAC covers the keybag, so the team key in it is the owner's; no key verifies a signature.
        try checkHeaderSignature(by: keybag.hasGrants ? keybag.teamKey ?? [] : nil)
    }

    /// Throws unless the header is signed with the public key `teamKey`, or not signed if that is nil.
    func checkHeaderSignature(by teamKey: [UInt8]?) throws(VaultFormatError) {
        guard Header.isSigned(headerBytes, by: teamKey) else {
            throw .headerFailure(.notAuthentic, offset: Header.signatureOffset)
        }
    }

    /// The directory, after its hash has been checked.
    func directory(keys: GenerationKeys) throws(VaultFormatError) -> Directory {
        try Self.checkDirectory(directoryBox, header: header)
        return try translating(
            { VaultFormatError($0, in: .snapshot, at: header.directoryRange.lowerBound) },
            Directory(
                opening: directoryBox,
                snapshotByteCount: header.snapshotByteCount,
                baseSequence: header.baseSequence,
                keys: keys
            )
        )
    }
}

// MARK: - From secrets to roots

extension VaultPrelude {
    /// The roots that the given secrets open.
    ///
    /// A passphrase, key file or recovery code that is given must match. Device keys alone open a vault without a
    /// passphrase; of other vaults they open only what needs no user root.
    package func roots(
        passphrase: Span<UInt8>? = nil,
        keyFile: Span<UInt8>? = nil,
        recovery: Key? = nil,
        deviceKeys: [DeviceID: Key] = [:],
        limits: Argon2Limits = .reader,
        availableByteCount: Int?
    ) throws(VaultFormatError) -> Keyring.Roots {
        var roots = try roots(ofDevices: deviceKeys)
        var unlocking = SlotUnlocker(
            keybag,
            vault: header.vault,
            limits: limits,
            availableByteCount: availableByteCount
        )
        do throws(VaultFormatError) {
            let opened = try unlocking.opened(
                passphrase: passphrase,
                keyFile: keyFile,
                recovery: recovery,
                deviceKeys: deviceKeys
            )
            roots.user = (opened.userRoot, opened.epoch)
        } catch {
            let wantsOwner = passphrase != nil || keyFile != nil || recovery != nil
            let hasDeviceKey = keybag.entries.contains { $0.opensWithDevice(among: roots.devices.keys) }
            guard !wantsOwner, error.needsOtherSecret, hasDeviceKey else { throw error }
        }
        return roots
    }

    /// The roots that a credential opens: the user root in a recipient slot, or the keys in a grant.
    package func roots(
        _ credential: CredentialFile,
        deviceKeys: [DeviceID: Key] = [:],
        now: Time
    ) throws(VaultFormatError) -> Keyring.Roots {
        guard credential.vault == header.vault else { throw .noMatch }
        guard let slot = keybag.recipients.first(where: { $0.id.bytes == credential.grant.bytes }) else {
            if let expiry = try grant(of: credential).expiry, expiry <= now { throw .grantExpired }
            return Keyring.Roots(credential: credential)
        }
        guard slot.publicKey == credential.secret.publicKey, slot.isSigned(by: credential.team, vault: header.vault)
        else { throw .noMatch }
        do {
            let root = try slot.opened(secret: credential.secret, vault: header.vault)
            var roots = try roots(ofDevices: deviceKeys)
            roots.user = (root, slot.epoch)
            return roots
        } catch {
            throw VaultFormatError(ofKeys: error)
        }
    }

    /// The keys in the grant of `credential`, and when it expires.
    ///
    /// - Throws: `noMatch` if the vault has no such grant for this recipient, `keybagFailure` if its keys are malformed.
    func grant(of credential: CredentialFile) throws(VaultFormatError) -> (payload: GrantPayload, expiry: Time?) {
        guard credential.vault == header.vault else { throw .noMatch }
        for case .grant(let body) in keybag.entries where GrantID(body.span) == credential.grant {
            do throws(GrantError) {
                let grant = try Grant(parsing: body.span)
                return (try grant.opened(with: credential), grant.expiry)
            } catch {
                switch error {
                case .malformedPayload: throw .keybagFailure(.badValue, offset: header.keybagRange.lowerBound)
                case .cipher(let error): throw .unavailable(.cipher(error))
                default: throw .noMatch
                }
            }
        }
        throw .noMatch
    }

    /// The roots of the devices with these keys, those that may be in the log but not in the keybag as candidates.
    private func roots(ofDevices deviceKeys: [DeviceID: Key]) throws(VaultFormatError) -> Keyring.Roots {
        var roots = Keyring.Roots(user: nil, devices: try deviceRoots(deviceKeys))
        let known = Set(keybag.devices.map(\.id))
        do throws(CipherError) {
            for (device, key) in deviceKeys where !known.contains(device) {
                let (root, commitment) = try DeviceEntry.rootAndCommitment(of: device, key, header.vault)
                roots.candidates[device] = (root, commitment)
            }
        } catch {
            throw .unavailable(.cipher(error))
        }
        return roots
    }

    /// The device roots that `deviceKeys` open.
    ///
    /// - Throws: `noMatch` if a key does not open the entry with its device id.
    package func deviceRoots(_ deviceKeys: [DeviceID: Key]) throws(VaultFormatError) -> [DeviceID: Key] {
        var roots: [DeviceID: Key] = [:]
        for device in keybag.devices {
            guard let key = deviceKeys[device.id] else { continue }
            let root = try translating(
                { VaultFormatError.unavailable(.cipher($0)) },
                device.root(deviceKey: key, vault: header.vault)
            )
            guard let root else { throw .noMatch }
            roots[device.id] = root
        }
        return roots
    }
}

extension VaultFormatError {
    /// Whether the slots are intact and only need a different secret.
    fileprivate var needsOtherSecret: Bool {
        switch self {
        case .noMatch, .deviceKeyNeeded: true
        default: false
        }
    }
}

extension KeybagEntry {
    /// Whether this is a structure key that one of `devices` can open.
    fileprivate func opensWithDevice(among devices: some Sequence<DeviceID>) -> Bool {
        guard case .structureKey(let entry) = self, entry.root == .device else { return false }
        return devices.contains(entry.device)
    }
}

extension Label {
    /// Whether `expected`, from the header, is the unkeyed hash of `bytes`.
    fileprivate func isHash(_ expected: [UInt8], of bytes: [UInt8]) -> Bool {
        areEqual(hash(32, bytes).span, expected.span)
    }
}
