internal import CofferBasics

/// The references that LastPass once wrote in place of characters.
enum HTMLEntities {
    private static let characters: [(reference: [UInt8], character: UInt8)] = [
        (Array("&amp;".utf8), UInt8(ascii: "&")), (Array("&lt;".utf8), UInt8(ascii: "<")),
        (Array("&gt;".utf8), UInt8(ascii: ">")), (Array("&quot;".utf8), UInt8(ascii: "\"")),
        (Array("&#39;".utf8), UInt8(ascii: "'")),
    ]

    /// The text with each reference replaced, once.
    static func decoded(_ text: HeldSecret) -> HeldSecret {
        text.withSpan { text in
            HeldSecret(capacity: text.count) { output in
                var index = 0
                while index < text.count {
                    let found = reference(text, at: index)
                    output.append(found?.character ?? text[index])
                    index += found?.reference.count ?? 1
                }
            }
        }
    }

    /// Whether there is a reference in the range.
    static func areIn(_ text: Span<UInt8>) -> Bool {
        text.indices.contains { reference(text, at: $0) != nil }
    }

    private static func reference(
        _ text: Span<UInt8>,
        at index: Int
    ) -> (reference: [UInt8], character: UInt8)? {
        guard text[index] == UInt8(ascii: "&") else { return nil }
        return characters.first { text.has($0.reference, at: index) }
    }
}
