package import CofferBasics

/// The elements of an XML document, as positions in its bytes.
///
/// The document is UTF-8 without document type, with names in ASCII and the five predefined entities, with at most 64
/// levels. Texts are decoded only when they are asked for.
package final class XMLTree {
    /// How deeply elements may be nested.
    package static let depthLimit = 64
    /// How many elements a document may have: they take 256 MiB.
    package static let nodeCountLimit = 1 << 24

    let bytes: HeldSecret
    let nodes: [Node]

    /// Reads a document.
    ///
    /// - Parameter bytes: The document; a byte-order mark is skipped.
    /// - Throws: `PasswordFileError` with the position of the error, and no part of the document.
    package init(_ bytes: HeldSecret) throws {
        try bytes.checkUTF8()
        var parser = XMLParser(offset: bytes.textStart)
        try bytes.withSpan { span in try parser.parse(span) }
        self.bytes = bytes
        nodes = parser.nodes
    }

    /// The outermost element.
    package var root: XMLNode { XMLNode(tree: self, index: 0) }

    /// An element.
    struct Node {
        /// Where the name begins in the start tag.
        let start: UInt32
        /// Where the content begins and ends; an empty one begins at the end of the tag.
        var contentStart: UInt32
        var contentEnd: UInt32
        /// The index of the node after this one and all that is in it.
        var next: UInt32

        var content: Range<Int> { Int(contentStart)..<Int(contentEnd) }
    }
}

/// An element of an XML document.
package struct XMLNode {
    let tree: XMLTree
    let index: Int

    private var node: XMLTree.Node { tree.nodes[index] }

    /// Where the element's name is in the document.
    package var offset: Int { Int(node.start) }

    /// The name.
    package var name: String {
        tree.bytes.withSpan { bytes in
            var cursor = XMLCursor(offset: offset)
            return bytes.extracting(cursor.name(bytes)).text
        }
    }

    /// The value of an attribute; nil if the element has none of this name.
    package func attribute(_ name: String) -> String? {
        tree.bytes.withSpan { bytes in
            var cursor = XMLCursor(offset: offset)
            _ = cursor.name(bytes)
            while let attribute = cursor.attribute(bytes) {
                guard bytes.extracting(attribute.name).text == name else { continue }
                return XMLText.decoded(bytes.extracting(attribute.value)).text
            }
            return nil
        }
    }

    /// Whether an attribute is `True`, whatever its case.
    package func isTrue(_ attribute: String) -> Bool { self.attribute(attribute)?.lowercased() == "true" }

    /// The elements in this one, in the order of the document.
    package var children: [XMLNode] {
        var children: [XMLNode] = []
        var position = index + 1
        while position < Int(node.next) {
            children.append(XMLNode(tree: tree, index: position))
            position = Int(tree.nodes[position].next)
        }
        return children
    }

    /// The first element of a name in this one.
    package subscript(name: String) -> XMLNode? {
        var position = index + 1
        while position < Int(node.next) {
            let child = XMLNode(tree: tree, index: position)
            if child.hasName(name) { return child }
            position = Int(tree.nodes[position].next)
        }
        return nil
    }

    /// Whether the element has this name; faster than comparing `name`.
    package func hasName(_ name: String) -> Bool {
        tree.bytes.withSpan { bytes in
            let end = offset + name.utf8.count
            return bytes.has(name.utf8, at: offset) && !(end < bytes.count && bytes[end].isXMLNameByte)
        }
    }

    /// The text of the element; empty if it has elements.
    package var secret: HeldSecret {
        let hasChildren = Int(node.next) > index + 1
        return tree.bytes.withSpan { XMLText.decoded($0.extracting(hasChildren ? 0..<0 : node.content)) }
    }

    /// The same as `secret`, for what is not secret.
    package var text: String { secret.text }
}
