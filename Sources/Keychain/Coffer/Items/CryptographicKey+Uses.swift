// What a key is and what it may be used for; nil if not set. The keychain stores these attributes but does not enforce
// them.
extension CryptographicKey {
    /// Whether the key is stored permanently: `kSecAttrIsPermanent`.
    public var isPermanent: Bool? {
        get { attributes[flag: .isPermanent] }
        set { attributes[flag: .isPermanent] = newValue }
    }

    /// Whether the key is private: `kSecAttrIsPrivate`.
    public var isPrivate: Bool? {
        get { attributes[flag: .isPrivate] }
        set { attributes[flag: .isPrivate] = newValue }
    }

    /// Whether the key may be changed: `kSecAttrIsModifiable`.
    public var isModifiable: Bool? {
        get { attributes[flag: .isModifiable] }
        set { attributes[flag: .isModifiable] = newValue }
    }

    /// Whether the key may be exported only in wrapped form: `kSecAttrIsSensitive`.
    public var isSensitive: Bool? {
        get { attributes[flag: .isSensitive] }
        set { attributes[flag: .isSensitive] = newValue }
    }

    /// Whether the key was always sensitive: `kSecAttrWasAlwaysSensitive`.
    public var wasAlwaysSensitive: Bool? {
        get { attributes[flag: .wasAlwaysSensitive] }
        set { attributes[flag: .wasAlwaysSensitive] = newValue }
    }

    /// Whether the key may be exported: `kSecAttrIsExtractable`.
    public var isExtractable: Bool? {
        get { attributes[flag: .isExtractable] }
        set { attributes[flag: .isExtractable] = newValue }
    }

    /// Whether the key was never extractable: `kSecAttrWasNeverExtractable`.
    public var wasNeverExtractable: Bool? {
        get { attributes[flag: .wasNeverExtractable] }
        set { attributes[flag: .wasNeverExtractable] = newValue }
    }

    /// Whether the key may encrypt: `kSecAttrCanEncrypt`.
    public var canEncrypt: Bool? {
        get { attributes[flag: .canEncrypt] }
        set { attributes[flag: .canEncrypt] = newValue }
    }

    /// Whether the key may decrypt: `kSecAttrCanDecrypt`.
    public var canDecrypt: Bool? {
        get { attributes[flag: .canDecrypt] }
        set { attributes[flag: .canDecrypt] = newValue }
    }

    /// Whether other keys may be derived from the key: `kSecAttrCanDerive`.
    public var canDerive: Bool? {
        get { attributes[flag: .canDerive] }
        set { attributes[flag: .canDerive] = newValue }
    }

    /// Whether the key may sign: `kSecAttrCanSign`.
    public var canSign: Bool? {
        get { attributes[flag: .canSign] }
        set { attributes[flag: .canSign] = newValue }
    }

    /// Whether the key may verify signatures: `kSecAttrCanVerify`.
    public var canVerify: Bool? {
        get { attributes[flag: .canVerify] }
        set { attributes[flag: .canVerify] = newValue }
    }

    /// Whether the key may make signatures that contain the message: `kSecAttrCanSignRecover`.
    public var canSignRecover: Bool? {
        get { attributes[flag: .canSignRecover] }
        set { attributes[flag: .canSignRecover] = newValue }
    }

    /// Whether the key may verify signatures that contain the message: `kSecAttrCanVerifyRecover`.
    public var canVerifyRecover: Bool? {
        get { attributes[flag: .canVerifyRecover] }
        set { attributes[flag: .canVerifyRecover] = newValue }
    }

    /// Whether the key may wrap other keys: `kSecAttrCanWrap`.
    public var canWrap: Bool? {
        get { attributes[flag: .canWrap] }
        set { attributes[flag: .canWrap] = newValue }
    }

    /// Whether the key may unwrap other keys: `kSecAttrCanUnwrap`.
    public var canUnwrap: Bool? {
        get { attributes[flag: .canUnwrap] }
        set { attributes[flag: .canUnwrap] = newValue }
    }
}
