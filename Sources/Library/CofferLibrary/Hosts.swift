// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer

extension coffer_demand {
    fileprivate init(_ request: AuthenticationHost.Prompt.Request) {
        self =
            switch request {
            case .user: COFFER_DEMAND_PASSPHRASE
            case .applicationPassword: COFFER_DEMAND_PASSWORD
            case .newApplicationPassword: COFFER_DEMAND_NEW_PASSWORD
            }
    }
}

@c @implementation public func coffer_set_host(
    _ host: coffer_host?,
    _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    // A number, since a pointer would not be Sendable.
    let context = UInt(bitPattern: context)
    return unsafe attempt(error) {
        guard let host = unsafe host else { return AuthenticationHost.install(nil) }
        AuthenticationHost.install(
            AuthenticationHost { prompt in
                let reason = StoredBytes(prompt.localizedReason.utf8)
                let answer = unsafe SecretHandle.taken(
                    Callback.run {
                        unsafe host(
                            UnsafeMutableRawPointer(bitPattern: context),
                            coffer_demand(prompt.request),
                            reason.bytes,
                            Int32(clamping: prompt.wrongAnswerCount)
                        )
                    }
                )
                return answer.map { .password($0) } ?? .failure(.userCancel)
            }
        )
    }
}
