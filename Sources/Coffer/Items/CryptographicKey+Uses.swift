// What a key is and what it may be used for, nil where nobody said. The keychain keeps it and enforces none of it.
extension CryptographicKey {
    /// Whether the key is kept: `kSecAttrIsPermanent`.
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

    /// Whether the key leaves only in wrapped form: `kSecAttrIsSensitive`.
    public var isSensitive: Bool? {
        get { attributes[flag: .isSensitive] }
        set { attributes[flag: .isSensitive] = newValue }
    }

    /// Whether that was always so: `kSecAttrWasAlwaysSensitive`.
    public var wasAlwaysSensitive: Bool? {
        get { attributes[flag: .wasAlwaysSensitive] }
        set { attributes[flag: .wasAlwaysSensitive] = newValue }
    }

    /// Whether the key may leave: `kSecAttrIsExtractable`.
    public var isExtractable: Bool? {
        get { attributes[flag: .isExtractable] }
        set { attributes[flag: .isExtractable] = newValue }
    }

    /// Whether it never could: `kSecAttrWasNeverExtractable`.
    public var wasNeverExtractable: Bool? {
        get { attributes[flag: .wasNeverExtractable] }
        set { attributes[flag: .wasNeverExtractable] = newValue }
    }

    /// Whether it may encrypt: `kSecAttrCanEncrypt`.
    public var canEncrypt: Bool? {
        get { attributes[flag: .canEncrypt] }
        set { attributes[flag: .canEncrypt] = newValue }
    }

    /// Whether it may decrypt: `kSecAttrCanDecrypt`.
    public var canDecrypt: Bool? {
        get { attributes[flag: .canDecrypt] }
        set { attributes[flag: .canDecrypt] = newValue }
    }

    /// Whether other keys may be derived from it: `kSecAttrCanDerive`.
    public var canDerive: Bool? {
        get { attributes[flag: .canDerive] }
        set { attributes[flag: .canDerive] = newValue }
    }

    /// Whether it may sign: `kSecAttrCanSign`.
    public var canSign: Bool? {
        get { attributes[flag: .canSign] }
        set { attributes[flag: .canSign] = newValue }
    }

    /// Whether it may verify: `kSecAttrCanVerify`.
    public var canVerify: Bool? {
        get { attributes[flag: .canVerify] }
        set { attributes[flag: .canVerify] = newValue }
    }

    /// Whether it may sign so that the message is in the signature: `kSecAttrCanSignRecover`.
    public var canSignRecover: Bool? {
        get { attributes[flag: .canSignRecover] }
        set { attributes[flag: .canSignRecover] = newValue }
    }

    /// Whether it may verify such signatures: `kSecAttrCanVerifyRecover`.
    public var canVerifyRecover: Bool? {
        get { attributes[flag: .canVerifyRecover] }
        set { attributes[flag: .canVerifyRecover] = newValue }
    }

    /// Whether it may wrap other keys: `kSecAttrCanWrap`.
    public var canWrap: Bool? {
        get { attributes[flag: .canWrap] }
        set { attributes[flag: .canWrap] = newValue }
    }

    /// Whether it may unwrap other keys: `kSecAttrCanUnwrap`.
    public var canUnwrap: Bool? {
        get { attributes[flag: .canUnwrap] }
        set { attributes[flag: .canUnwrap] = newValue }
    }
}
