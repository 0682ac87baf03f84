import CofferCertificates
import TestSupport
import Testing

/// An element of a valid certificate, with the elements inside it.
private struct Node {
    var tag: UInt8
    var content: [UInt8]
    /// Nil if the element contains no others.
    var children: [Node]?

    /// The elements of valid bytes.
    static func list(_ bytes: ArraySlice<UInt8>) -> [Node]? {
        var nodes: [Node] = []
        var rest = bytes
        while let tag = rest.popFirst() {
            guard var count = rest.popFirst().map(Int.init) else { return nil }
            if count > 0x80 {
                let digits = rest.prefix(count - 0x80)
                rest = rest.dropFirst(digits.count)
                count = digits.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            }
            guard count <= rest.count, tag != 0 else { return nil }
            let content = rest.prefix(count)
            rest = rest.dropFirst(count)
            // Extensions have elements in octet strings.
            let children = tag & 0x20 != 0 || tag == 0x04 ? list(content) : nil
            nodes.append(Node(tag: tag, content: Array(content), children: children))
        }
        return nodes
    }

    var bytes: [UInt8] { element(tag, children?.flatMap(\.bytes) ?? content) }

    var count: Int { children?.reduce(1) { $0 + $1.count } ?? 1 }

    /// Changes the element with this number, of those below this one.
    mutating func change(_ number: inout Int, by change: (inout [Node], Int) -> Void) {
        guard var nodes = children else { return }
        for index in nodes.indices {
            number -= 1
            if number == 0 { change(&nodes, index) }
            guard number > 0 else { break }
            nodes[index].change(&number, by: change)
        }
        children = nodes
    }
}

extension SeededGenerator {
    fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &self) }

    /// The same bytes with a small change anywhere.
    fileprivate mutating func changedBytes(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let place = below(bytes.count)
        switch below(5) {
        case 0: bytes[place] ^= 1 << below(8)
        case 1: bytes[place] = [0x00, 0x1F, 0x30, 0x7F, 0x80, 0x81, 0x84, 0xFF][below(8)]
        case 2: bytes.removeSubrange(place...)
        case 3: bytes.remove(at: place)
        default: bytes.insert(UInt8(below(256)), at: place)
        }
        return bytes
    }

    /// The same tree with an element changed; all lengths fit again, so that the change reaches the reader.
    fileprivate mutating func changedTree(_ root: Node) -> [UInt8] {
        var root = root
        var number = 1 + below(root.count - 1)
        let (choice, other) = (below(6), below(256))
        let changed = changedBytes([0] + Array(repeating: UInt8(other), count: 8))
        root.change(&number) { nodes, index in
            switch choice {
            case 0: nodes.remove(at: index)
            case 1: nodes.insert(nodes[index], at: index)
            case 2: nodes.swapAt(index, other % nodes.count)
            case 3: nodes[index].tag = UInt8(other)
            case 4: nodes[index] = Node(tag: nodes[index].tag, content: changed)
            default: nodes[index] = Node(tag: 0x30, content: [], children: [nodes[index]])
            }
        }
        return root.bytes
    }
}

@Suite("Damaged certificates") struct MutationTests {
    /// Reads everything of a certificate, and checks what must always hold; returns whether there is one.
    private func read(_ input: [UInt8]) -> Bool {
        guard let certificate = try? X509Certificate(parsing: input) else { return false }
        #expect(input.starts(with: certificate.bytes))
        #expect((try? X509Certificate(parsing: certificate.bytes)) == certificate)
        _ = (certificate.subjectSummary, certificate.commonName, certificate.emailAddresses, certificate.dnsNames)
        _ = (certificate.basicConstraints, certificate.keyUsage, certificate.extendedKeyUsage)
        _ = (certificate.subjectAlternativeNames, certificate.nameConstraints)
        _ = (certificate.subjectKeyIdentifier, certificate.authorityKeyIdentifier)
        for name in [certificate.subjectName, certificate.issuerName] {
            guard let normalized = name?.normalized else { continue }
            let again = try? DistinguishedName(parsing: normalized, in: 0..<normalized.count)
            #expect(again?.normalized == normalized)
        }
        return true
    }

    // 26 changes of 2 kinds for each seed, of each of some 40 certificates: more than 40,000 in a whole run.
    @Test(arguments: UInt64(0)..<UInt64(Trials.count(7, whole: 20)))
    func `a damaged certificate is either read or rejected`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var counts = [0, 0, 0, 0]
        for fixture in try Fixture.all() {
            let root = try #require(Node.list(fixture.bytes[...])?.first)
            #expect(root.bytes == fixture.bytes)
            for _ in 0..<26 {
                counts[read(generator.changedBytes(fixture.bytes)) ? 0 : 1] += 1
                counts[read(generator.changedTree(root)) ? 2 : 3] += 1
            }
        }
        #expect(counts.reduce(0, +) > 2_000)
        #expect(counts.allSatisfy { $0 > 100 }, "the changes are too large or too small: \(counts)")
    }

    @Test func `deep nesting does not overflow the stack`() throws {
        var headers: [[UInt8]] = []
        var byteCount = 0
        while headers.count < 100_000 {
            headers.append(header(0x30, byteCount))
            byteCount += headers[headers.count - 1].count
        }
        let nested = joined(headers.reversed())
        #expect(throws: CertificateError.self) { try X509Certificate(parsing: nested) }
        #expect(throws: CertificateError.self) { try X509Certificate(parsing: Array(repeating: 0x30, count: 100_000)) }

        var sketch = CertificateSketch(subject: attribute("2.5.4.3", nested))
        sketch.publicKey = sequence(sequence(oid("1.2.840.10045.2.1"), nested), element(0x03, [0], nested))
        sketch = sketch.with(
            extended("1.2.3", nested),
            extended("2.5.29.17", isCritical: false, nested),
            extended("2.5.29.30", isCritical: false, nested),
            extended("2.5.29.17", sequence(element(0xA4, nested)))
        )
        #expect(read(sketch.bytes))
    }

    // Each of these would take minutes if anything were quadratic.
    @Test func `large certificates are read in linear time`() {
        let many = 100_000
        let attributes = repeated(attribute("2.5.4.3", text(0x13, "a  b")), many)
        let names = repeated(text(0x82, "a.b") + text(0x81, "a"), many)
        let purposes = repeated(oid("2.5.29.37.0"), many)
        let words = text(0x13, String(repeating: "a  ", count: many))
        let extensions = repeated(extended("2.5.29.15", element(0x03, [0, 1])), 9_000)
        let sketch = CertificateSketch(subject: attributes, attribute("2.5.4.3", words)).with(
            extended("2.5.29.17", sequence(names)),
            extended("2.5.29.37", sequence(purposes)),
            extensions
        )
        #expect(read(sketch.bytes))
    }
}
