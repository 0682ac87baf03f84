internal import Coffer

extension Span<UInt8> {
    /// The bytes as text; not for secrets.
    var attributeText: AttributeText { AttributeText(bytes: indices.map { self[$0] }) }
}
