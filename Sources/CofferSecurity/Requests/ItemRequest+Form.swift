internal import Coffer

extension ItemRequest {
    /// What is checked before anything else, whoever asks: it does not depend on the class.
    func checkForm(for operation: ItemOperation) throws(KeychainError) {
        try Query.checkObjects { values[$0] }
        // Few keys are compared sooner than each of these is looked up.
        for (key, value) in values {
            switch key {
            case "u_AuthUI" where operation != .find && value == .string("u_AuthUIS"):
                throw .invalid(.keyNotAllowedHere(key))
            case "u_AuthCtx" where values["u_CredRef"] != nil: throw .invalid(.keyNotAllowedHere("u_CredRef"))
            case AttributeName.appClip.rawValue, "v_Ref": throw .invalid(.unknownKey(key))
            default: break
            }
        }
    }
}
