// What a key is and what it may be used for, nil where nobody said. The keychain keeps it and enforces none of it.
extension CryptographicKey {
    /// Whether the key is kept: `kSecAttrIsPermanent`.
    public var isPermanent: Bool? {
        get { attributes[flag: "perm"] }
        set { attributes[flag: "perm"] = newValue }
    }

    /// Whether the key is private: `kSecAttrIsPrivate`.
    public var isPrivate: Bool? {
        get { attributes[flag: "priv"] }
        set { attributes[flag: "priv"] = newValue }
    }

    /// Whether the key may be changed: `kSecAttrIsModifiable`.
    public var isModifiable: Bool? {
        get { attributes[flag: "modi"] }
        set { attributes[flag: "modi"] = newValue }
    }

    /// Whether the key leaves only in wrapped form: `kSecAttrIsSensitive`.
    public var isSensitive: Bool? {
        get { attributes[flag: "sens"] }
        set { attributes[flag: "sens"] = newValue }
    }

    /// Whether that was always so: `kSecAttrWasAlwaysSensitive`.
    public var wasAlwaysSensitive: Bool? {
        get { attributes[flag: "asen"] }
        set { attributes[flag: "asen"] = newValue }
    }

    /// Whether the key may leave: `kSecAttrIsExtractable`.
    public var isExtractable: Bool? {
        get { attributes[flag: "extr"] }
        set { attributes[flag: "extr"] = newValue }
    }

    /// Whether it never could: `kSecAttrWasNeverExtractable`.
    public var wasNeverExtractable: Bool? {
        get { attributes[flag: "next"] }
        set { attributes[flag: "next"] = newValue }
    }

    /// Whether it may encrypt: `kSecAttrCanEncrypt`.
    public var canEncrypt: Bool? {
        get { attributes[flag: "encr"] }
        set { attributes[flag: "encr"] = newValue }
    }

    /// Whether it may decrypt: `kSecAttrCanDecrypt`.
    public var canDecrypt: Bool? {
        get { attributes[flag: "decr"] }
        set { attributes[flag: "decr"] = newValue }
    }

    /// Whether other keys may be derived from it: `kSecAttrCanDerive`.
    public var canDerive: Bool? {
        get { attributes[flag: "drve"] }
        set { attributes[flag: "drve"] = newValue }
    }

    /// Whether it may sign: `kSecAttrCanSign`.
    public var canSign: Bool? {
        get { attributes[flag: "sign"] }
        set { attributes[flag: "sign"] = newValue }
    }

    /// Whether it may verify: `kSecAttrCanVerify`.
    public var canVerify: Bool? {
        get { attributes[flag: "vrfy"] }
        set { attributes[flag: "vrfy"] = newValue }
    }

    /// Whether it may sign so that the message is in the signature: `kSecAttrCanSignRecover`.
    public var canSignRecover: Bool? {
        get { attributes[flag: "snrc"] }
        set { attributes[flag: "snrc"] = newValue }
    }

    /// Whether it may verify such signatures: `kSecAttrCanVerifyRecover`.
    public var canVerifyRecover: Bool? {
        get { attributes[flag: "vyrc"] }
        set { attributes[flag: "vyrc"] = newValue }
    }

    /// Whether it may wrap other keys: `kSecAttrCanWrap`.
    public var canWrap: Bool? {
        get { attributes[flag: "wrap"] }
        set { attributes[flag: "wrap"] = newValue }
    }

    /// Whether it may unwrap other keys: `kSecAttrCanUnwrap`.
    public var canUnwrap: Bool? {
        get { attributes[flag: "unwp"] }
        set { attributes[flag: "unwp"] = newValue }
    }
}
