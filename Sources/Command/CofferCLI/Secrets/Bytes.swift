internal import Coffer
internal import CofferBasics

extension Span<UInt8> {
    /// The bytes as text; not for secrets.
    var attributeText: AttributeText { AttributeText(bytes: [UInt8](copying: self)) }
}
