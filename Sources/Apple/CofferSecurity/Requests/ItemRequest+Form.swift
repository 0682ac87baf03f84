internal import Coffer

extension ItemRequest {
    /// Checks what does not depend on the class or on the program's groups; this comes before all other checks.
    func checkForm(for operation: ItemOperation) throws(KeychainError) {
        try Query.checkObjects { values[$0] }
        // A request has few keys, so comparing them is faster than looking up each of these.
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
