extension ItemRequest {
    /// What is checked before anything else, whoever asks: it does not depend on the class.
    func checkForm(for operation: Operation) throws(KeychainError) {
        try checkObjects()
        // Few keys are compared sooner than each of these is looked up.
        for (key, value) in values {
            switch key {
            case "u_AuthUI" where operation != .find && value == .string("u_AuthUIS"):
                throw .invalid(.keyNotAllowedHere(key))
            case "u_AuthCtx" where values["u_CredRef"] != nil: throw .invalid(.keyNotAllowedHere("u_CredRef"))
            case "clip", "v_Ref": throw .invalid(.unknownKey(key))
            default: break
            }
        }
    }

    /// Throws if the issuer is no name or the access control is none, or has conditions that a synchronizable item cannot
    /// have.
    func checkObjects() throws(KeychainError) {
        if let issuer = values["issr"] { guard case .data = issuer else { throw .invalid(.value(of: "issr")) } }
        guard let value = values["accc"] else { return }
        guard case .accessControl(let control) = value else { throw .invalid(.value(of: "accc")) }
        guard control.conditions == nil || values["sync"] != .bool(true) else {
            throw .invalid(.conditionsOnSynchronizableItem)
        }
    }
}
