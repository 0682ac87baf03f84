extension ItemRequest {
    /// What is checked before anything else, whoever asks: it does not depend on the class.
    func checkForm(for operation: Operation) throws(KeychainError) {
        if let value = values["accc"] {
            guard case .accessControl(let control) = value else { throw .invalid(.value(of: "accc")) }
            if control.conditions != nil, values["sync"] == .bool(true) {
                throw .invalid(.conditionsOnSynchronizableItem)
            }
        }
        if operation != .find, values["u_AuthUI"] == .string("u_AuthUIS") {
            throw .invalid(.keyNotAllowedHere("u_AuthUI"))
        }
        if values["u_AuthCtx"] != nil, values["u_CredRef"] != nil { throw .invalid(.keyNotAllowedHere("u_CredRef")) }
        for key in ["clip", "v_Ref"] where values[key] != nil { throw .invalid(.unknownKey(key)) }
    }
}
