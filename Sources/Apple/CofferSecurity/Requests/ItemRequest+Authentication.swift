internal import Coffer

extension ItemRequest {
    /// How the call authenticates the user; nil if the request does not say.
    var authentication: CallAuthentication? {
        // Most requests have none of these keys, and a request has few keys.
        guard context != nil || values.keys.contains(where: { $0.hasPrefix("u_") }) else { return nil }
        var call = CallAuthentication(context: context)
        if case .string(let reason)? = values["u_OpPrompt"] { call.reason = reason }
        call.mayAsk = values["u_AuthUI"] != .string("u_AuthUIF") && values["u_NoAuthUI"] != .bool(true)
        if values["u_AuthUI"] == .string("u_AuthUIS") { call.skippedItems = SkippedItems() }
        return call
    }
}
