/// What the keychain must know of a context that somebody authenticates in: `LAContext`, of another module, is one.
package protocol AuthenticationContext: AnyObject {
    /// Whether nobody may be asked anything.
    var interactionNotAllowed: Bool { get }
    /// Whether the context has been given up, so that it authenticates nobody any more.
    var isInvalidated: Bool { get }
}
